/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;

/**
 * The arithmetic of F32 and F64. For F32 each operation is done in double and rounded to float at
 * once, which gives the bits of the float operation: 53 bits are at least 2 * 24 + 2, so rounding
 * twice is rounding once (Figueroa 1995, "When is double rounding innocuous?").
 */
final class FloatingReference extends ScalarReference {
  private final boolean single;
  private final Object input;
  private final Object output;
  private double sum;

  FloatingReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    super(spec, input, output);
    this.single = spec.type() == ElementType.F32;
    this.input = ((HeapCellBuffer) input.cells()).array();
    this.output = output.array();
  }

  private double round(double exact) {
    return single ? (float) exact : exact;
  }

  private double cell(int position) {
    return single ? ((float[]) input)[position] : ((double[]) input)[position];
  }

  @Override
  void clearSum() {
    sum = 0;
  }

  @Override
  void add(int position) {
    sum = round(sum + cell(position));
  }

  @Override
  void addWeighted(int position, double weight) {
    sum = round(sum + round(round(weight) * cell(position)));
  }

  @Override
  boolean less(int position, int other) {
    return CellOrder.less(cell(position), cell(other));
  }

  @Override
  void writeSum(int position) {
    write(position, sum);
  }

  @Override
  void writeMean(int position, int counted) {
    write(position, round(sum / round(counted)));
  }

  @Override
  void writeCell(int position, int chosen) {
    write(position, cell(chosen));
  }

  @Override
  void writeCount(int position, int counted) {
    write(position, counted);
  }

  private void write(int position, double value) {
    if (single) {
      ((float[]) output)[position] = (float) value;
    } else {
      ((double[]) output)[position] = value;
    }
  }
}
