/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.HeapCellBuffer;
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
  private double chosen;
  private boolean any;

  FloatingReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    super(spec, input, output);
    this.single = spec.type() == ElementType.F32;
    this.input = ((HeapCellBuffer) input.cells()).array();
    this.output = output.array();
  }

  private double round(double exact) {
    return single ? (float) exact : exact;
  }

  @Override
  void begin() {
    sum = 0;
    chosen = 0;
    any = false;
  }

  @Override
  void take(int position, int tap) {
    double cell = single ? ((float[]) input)[position] : ((double[]) input)[position];
    switch (spec.reduction()) {
      case SUM, MEAN -> sum = round(sum + cell);
      case WEIGHTED_SUM ->
          sum = round(sum + round(round(spec.stencil().weights().get(tap)) * cell));
      case MIN -> chosen = !any || CellOrder.less(cell, chosen) ? cell : chosen;
      case MAX -> chosen = !any || CellOrder.less(chosen, cell) ? cell : chosen;
      case COUNT -> {
        // The caller counts.
      }
    }
    any = true;
  }

  @Override
  void write(int position, int counted) {
    double value =
        switch (spec.reduction()) {
          case SUM, WEIGHTED_SUM -> sum;
          case MEAN -> counted == 0 ? 0 : round(sum / round(counted));
          case MIN, MAX -> chosen;
          case COUNT -> counted;
        };
    if (single) {
      ((float[]) output)[position] = (float) value;
    } else {
      ((double[]) output)[position] = value;
    }
  }
}
