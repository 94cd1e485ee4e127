/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A function of frames that adds their rows to a function of the rows from a first one on. */
abstract class FrameOfCumulative extends MovingFunction {
  final CumulativeFunction function;

  FrameOfCumulative(CumulativeFunction function) {
    this.function = function;
  }

  @Override
  final void open() {
    function.open();
  }

  @Override
  final boolean[] overflows() {
    return function.overflows();
  }

  @Override
  final ColumnVector vector(CellColumn cells, int rows) {
    return function.vector(cells, rows);
  }
}
