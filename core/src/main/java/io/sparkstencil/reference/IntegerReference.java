/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.HeapCellBuffer;
import io.sparkstencil.staging.StagedBatch;

/** The arithmetic of I32 and I64; sums and products wrap in the element type. */
final class IntegerReference extends ScalarReference {
  private final boolean single;
  private final Object input;
  private final Object output;
  private long sum;
  private long chosen;
  private boolean any;

  IntegerReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    super(spec, input, output);
    this.single = spec.type() == ElementType.I32;
    this.input = ((HeapCellBuffer) input.cells()).array();
    this.output = output.array();
  }

  private long wrap(long exact) {
    return single ? (int) exact : exact;
  }

  @Override
  void begin() {
    sum = 0;
    chosen = 0;
    any = false;
  }

  @Override
  void take(int position, int tap) {
    long cell = single ? ((int[]) input)[position] : ((long[]) input)[position];
    switch (spec.reduction()) {
      case SUM, MEAN -> sum = wrap(sum + cell);
      case WEIGHTED_SUM -> sum = wrap(sum + ((long) spec.stencil().weights().get(tap)) * cell);
      case MIN -> chosen = any ? Math.min(chosen, cell) : cell;
      case MAX -> chosen = any ? Math.max(chosen, cell) : cell;
      case COUNT -> {
        // The caller counts.
      }
    }
    any = true;
  }

  @Override
  void write(int position, int counted) {
    long value =
        switch (spec.reduction()) {
          case SUM, WEIGHTED_SUM -> sum;
          case MEAN -> counted == 0 ? 0 : sum / counted;
          case MIN, MAX -> chosen;
          case COUNT -> counted;
        };
    if (single) {
      ((int[]) output)[position] = (int) value;
    } else {
      ((long[]) output)[position] = value;
    }
  }
}
