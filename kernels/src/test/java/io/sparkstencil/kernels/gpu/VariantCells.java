/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * Random cells, and what a stencil makes of every frame of them: sums in double (F32, F64) or
 * wrapping long (I32, I64), with bounds of what rounding may add. Computed once for all variants.
 */
final class VariantCells {
  private final FlatStencil what;
  private final double[] cells;
  private final byte[] validity;
  private final double[] expected;
  private final double[] bounds;
  private final byte[] expectedValidity;

  /** Makes as many cells as {@code frames} frames have. */
  VariantCells(FlatStencil what, int frames, long seed) {
    this.what = what;
    int count = frames + what.width() - 1;
    this.cells = new double[count];
    this.validity = new byte[count];
    this.expected = new double[frames];
    this.bounds = new double[frames];
    this.expectedValidity = new byte[frames];
    fill(new Random(seed));
    for (int first = 0; first < frames; first++) {
      reduce(first);
    }
  }

  private void fill(Random random) {
    for (int i = 0; i < cells.length; i++) {
      cells[i] =
          switch (what.type()) {
            case F32 -> (float) (random.nextGaussian() * 10);
            case F64 -> random.nextGaussian() * 10;
            case I32, I64 -> random.nextInt(2_000_001) - 1_000_000;
          };
    }
    Arrays.fill(validity, (byte) 1);
    for (int i = 0; i < cells.length && what.nullable(); i++) {
      validity[i] = (byte) (random.nextInt(3) == 0 ? 0 : 1);
    }
  }

  private void reduce(int first) {
    double sum = 0;
    double magnitude = 0;
    double chosen = 0;
    int counted = 0;
    for (int tap = 0; tap < what.width(); tap++) {
      double cell = cells[first + tap];
      if (validity[first + tap] == 0) {
        continue;
      }
      double weight = what.reduction() == Reduction.WEIGHTED_SUM ? what.weights().get(tap) : 1;
      sum = fused() ? fma(weight, cell, sum) : sum + weight * cell;
      magnitude += Math.abs(weight * cell);
      boolean better =
          what.reduction() == Reduction.MAX
              ? CellOrder.less(chosen, cell)
              : CellOrder.less(cell, chosen);
      chosen = counted == 0 || better ? cell : chosen;
      counted++;
    }
    expected[first] =
        switch (what.reduction()) {
          case SUM, WEIGHTED_SUM -> sum;
          case MEAN -> counted == 0 ? 0 : sum / counted;
          case MIN, MAX -> chosen;
          case COUNT -> counted;
        };
    bounds[first] =
        switch (what.reduction()) {
          case MIN, MAX, COUNT -> 0;
          default -> fused() ? 0 : errorBound(magnitude, counted);
        };
    boolean isNull =
        switch (what.reduction()) {
          case COUNT -> false;
          case WEIGHTED_SUM -> counted < what.width();
          default -> counted == 0;
        };
    expectedValidity[first] = (byte) (isNull ? 0 : 1);
  }

  /** Tells whether the order and the rounding of operations are fixed. */
  private boolean fused() {
    return what.reduction() == Reduction.WEIGHTED_SUM && what.accuracy() == Accuracy.FMA;
  }

  private double fma(double weight, double cell, double sum) {
    return switch (what.type()) {
      case F32 -> Math.fma((float) weight, (float) cell, (float) sum);
      case F64 -> Math.fma(weight, cell, sum);
      case I32, I64 -> sum + weight * cell;
    };
  }

  /** Rounding of a sum of {@code counted} products in any order, and of one division. */
  private double errorBound(double magnitude, int counted) {
    double unit =
        switch (what.type()) {
          case F32 -> 0x1p-24;
          case F64 -> 0x1p-53;
          case I32, I64 -> 0;
        };
    double sum = 2 * (counted + 3) * unit * magnitude;
    return what.reduction() == Reduction.MEAN ? sum / Math.max(1, counted) : sum;
  }

  int count() {
    return cells.length;
  }

  /** Writes the cells, then, if there can be nulls, their validity. */
  void put(ByteBuffer cellView, ByteBuffer validityView) {
    for (double cell : cells) {
      switch (what.type()) {
        case F32 -> cellView.putFloat((float) cell);
        case F64 -> cellView.putDouble(cell);
        case I32 -> cellView.putInt((int) cell);
        case I64 -> cellView.putLong((long) cell);
      }
    }
    validityView.put(validity);
  }

  /** Returns what is wrong with the first of {@code positions} bad results, or null. */
  String difference(int shift, int positions, ByteBuffer results, ByteBuffer valid) {
    for (int p = 0; p < positions; p++) {
      int frame = p + shift;
      if (what.nullable() && valid.get(p) != expectedValidity[frame]) {
        return "output %d: validity %d, expected %d"
            .formatted(p, valid.get(p), expectedValidity[frame]);
      }
      boolean weightedNull =
          what.reduction() == Reduction.WEIGHTED_SUM && expectedValidity[frame] == 0;
      double actual = get(what.type(), results, p);
      if (!weightedNull && !(Math.abs(actual - expected[frame]) <= bounds[frame])) {
        return "output %d: %s, expected %s within %s"
            .formatted(p, actual, expected[frame], bounds[frame]);
      }
    }
    return null;
  }

  private static double get(ElementType type, ByteBuffer view, int index) {
    return switch (type) {
      case F32 -> view.getFloat(4 * index);
      case F64 -> view.getDouble(8 * index);
      case I32 -> view.getInt(4 * index);
      case I64 -> view.getLong(8 * index);
    };
  }
}
