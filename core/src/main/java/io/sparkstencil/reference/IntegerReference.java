/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;

/** The arithmetic of I32 and I64; sums and products wrap in the element type. */
final class IntegerReference extends ScalarReference {
  private final boolean single;
  private final Object input;
  private final Object output;
  private long sum;

  IntegerReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    super(spec, input, output);
    this.single = spec.type() == ElementType.I32;
    this.input = ((HeapCellBuffer) input.cells()).array();
    this.output = output.array();
  }

  private long wrap(long exact) {
    return single ? (int) exact : exact;
  }

  private long cell(int position) {
    return single ? ((int[]) input)[position] : ((long[]) input)[position];
  }

  @Override
  void clearSum() {
    sum = 0;
  }

  @Override
  void add(int position) {
    sum = wrap(sum + cell(position));
  }

  @Override
  void addWeighted(int position, double weight) {
    sum = wrap(sum + ((long) weight) * cell(position));
  }

  @Override
  boolean less(int position, int other) {
    return cell(position) < cell(other);
  }

  @Override
  void writeSum(int position) {
    write(position, sum);
  }

  @Override
  void writeMean(int position, int counted) {
    throw new IllegalStateException("means are not computed in integers");
  }

  @Override
  void writeCell(int position, int chosen) {
    write(position, cell(chosen));
  }

  @Override
  void writeCount(int position, int counted) {
    write(position, counted);
  }

  private void write(int position, long value) {
    if (single) {
      ((int[]) output)[position] = (int) value;
    } else {
      ((long[]) output)[position] = value;
    }
  }
}
