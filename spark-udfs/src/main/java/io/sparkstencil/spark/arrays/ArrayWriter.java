/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

/**
 * How a row is made of results.
 *
 * @param <K> what was kept of the row
 * @param <O> the rows made
 */
@FunctionalInterface
public interface ArrayWriter<K, O> {
  /** Returns the row of {@code kept} and {@code results}, which are valid during this call. */
  O write(K kept, ArrayResults results);
}
