/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

/** Where an entry into the pipeline wants results. */
@FunctionalInterface
public interface CellSink {
  /** Takes {@code count} results from cell {@code at} of {@code results} on, during this call. */
  void take(CellBuffer results, int at, int count);
}
