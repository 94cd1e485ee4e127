/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;

/**
 * Runs one stencil over one batch, output by output and cell by cell.
 *
 * <p>Floating-point cells are computed in double. For F32, each operation is immediately rounded to
 * float. This gives the bits of the float operation: since 53 bits are at least 2 * 24 + 2, double
 * rounding is innocuous (Figueroa 1995, "When is double rounding innocuous?"). Integers are
 * computed in long; for I32, sums and products wrap at 32 bits.
 */
final class ScalarReference {
  private static final int NONE = -1;
  private static final int CELLS_PER_QUESTION = 1 << 16;

  private final StencilSpec spec;
  private final StagingLayout layout;
  private final boolean floating;
  private final boolean single;
  private final Object input;
  private final Object output;
  private final byte[] inputValidity; // null if no cell is null
  private final byte[] outputValidity; // null if no cell is null
  private double sum; // of floating-point cells
  private long integerSum;
  private long read; // cells since it was asked whether they are wanted
  private int chosen; // staged position of the smallest or largest cell so far

  ScalarReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    HeapCellBuffer cells = (HeapCellBuffer) input.cells();
    this.spec = spec;
    this.layout = input.layout();
    this.floating = spec.type().isFloating();
    this.single = spec.type() == ElementType.F32 || spec.type() == ElementType.I32;
    this.input = cells.array();
    this.output = output.array();
    this.inputValidity = input.hasNulls() ? cells.validity() : null;
    this.outputValidity = input.hasNulls() ? output.validity() : null;
  }

  void run() {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      for (int i = 0; i < layout.cells(piece); i++) {
        read += 1L + spec.frame().width();
        if (read > CELLS_PER_QUESTION) {
          Cancellation.ask();
          read = 0;
        }
        runOutput(piece, i);
      }
    }
  }

  private void runOutput(int piece, int i) {
    int start = layout.start(piece);
    int firstPresent = start + layout.missingLeft(piece);
    int endPresent =
        start + layout.left() + layout.cells(piece) + layout.right() - layout.missingRight(piece);
    int frameFirst = start + layout.left() + i - spec.frame().preceding();
    int frameEnd = start + layout.left() + i + spec.frame().following() + 1;
    int first = Math.max(frameFirst, firstPresent);
    int end = Math.min(frameEnd, endPresent);
    int counted = 0;
    boolean hasNull = false;
    sum = 0;
    integerSum = 0;
    chosen = NONE;
    for (int position = first; position < end; position++) {
      if (inputValidity != null && inputValidity[position] == 0) {
        hasNull = true;
      } else {
        take(position, position - frameFirst);
        counted++;
      }
    }
    write(start + i, counted);
    if (outputValidity != null) {
      boolean whole = first == frameFirst && end == frameEnd;
      boolean valid =
          (counted > 0 || spec.reduction() == Reduction.COUNT)
              && (spec.reduction().skipsNulls() || !hasNull)
              && (whole || spec.boundary().mode() != Boundary.Mode.VALID);
      outputValidity[start + i] = valid ? (byte) 1 : 0;
    }
  }

  /** Processes the cell at staged position {@code position}, tap {@code tap} of the frame. */
  private void take(int position, int tap) {
    switch (spec.reduction()) {
      case SUM, MEAN -> add(position);
      case WEIGHTED_SUM -> addWeighted(position, spec.stencil().weights().get(tap));
      case MIN -> chosen = chosen == NONE || less(position, chosen) ? position : chosen;
      case MAX -> chosen = chosen == NONE || less(chosen, position) ? position : chosen;
      case COUNT -> {
        // The caller counts.
      }
    }
  }

  private void add(int position) {
    if (floating) {
      sum = round(sum + cell(position));
    } else {
      integerSum = wrap(integerSum + integer(position));
    }
  }

  private void addWeighted(int position, double weight) {
    if (spec.fusesProducts()) {
      sum =
          single
              ? Math.fma((float) weight, (float) cell(position), (float) sum)
              : Math.fma(weight, cell(position), sum);
    } else if (floating) {
      sum = round(sum + round(round(weight) * cell(position)));
    } else {
      integerSum = wrap(integerSum + ((long) weight) * integer(position));
    }
  }

  private boolean less(int position, int other) {
    return floating
        ? CellOrder.less(cell(position), cell(other))
        : integer(position) < integer(other);
  }

  private double round(double exact) {
    return single ? (float) exact : exact;
  }

  private long wrap(long exact) {
    return single ? (int) exact : exact;
  }

  private double cell(int position) {
    return single ? ((float[]) input)[position] : ((double[]) input)[position];
  }

  private long integer(int position) {
    return single ? ((int[]) input)[position] : ((long[]) input)[position];
  }

  private void write(int position, int counted) {
    Reduction reduction = counted == 0 ? Reduction.COUNT : spec.reduction(); // 0 for nothing
    if (floating) {
      double value =
          switch (reduction) {
            // A product that underflows can make a fused sum -0.0.
            case SUM, WEIGHTED_SUM -> sum + 0.0;
            case MEAN -> round(sum / round(counted));
            case MIN, MAX -> cell(chosen);
            case COUNT -> counted;
          };
      if (single) {
        ((float[]) output)[position] = (float) value;
      } else {
        ((double[]) output)[position] = value;
      }
    } else {
      long value =
          switch (reduction) {
            case SUM, WEIGHTED_SUM -> integerSum;
            case MEAN -> throw new IllegalStateException("means are not computed in integers");
            case MIN, MAX -> integer(chosen);
            case COUNT -> counted;
          };
      if (single) {
        ((int[]) output)[position] = (int) value;
      } else {
        ((long[]) output)[position] = value;
      }
    }
  }
}
