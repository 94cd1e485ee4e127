/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

/**
 * How the arrays of a row are found.
 *
 * @param <I> the rows
 * @param <K> what is kept of a row until its results are there
 */
@FunctionalInterface
public interface ArrayReader<I, K> {
  /** Points {@code arrays} to the arrays of {@code row}, and returns what is kept of the row. */
  K read(I row, ArrayRow arrays);
}
