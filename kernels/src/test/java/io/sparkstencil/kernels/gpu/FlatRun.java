/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelGenerator;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * One variant over one flat array of random cells, compared cell by cell with sums in double (F32,
 * F64) or wrapping long (I32, I64). Outputs are poisoned before and guarded behind.
 */
final class FlatRun {
  private static final int GUARD_CELLS = 64;
  private static final byte POISON = (byte) 0xFB;

  private final PrimaryContext context;
  private final KernelCache kernels;

  FlatRun(PrimaryContext context, KernelCache kernels) {
    this.context = context;
    this.kernels = kernels;
  }

  /**
   * Returns what is wrong with the variant's results, or null.
   *
   * @param shift staged cells before the first frame; its remainder is the variant's skew
   */
  String check(KernelVariant variant, int positions, int shift, long seed) {
    FlatStencil what = variant.what();
    int staged = shift + positions + what.width() - 1;
    int size = what.type().bytes();
    LoadedKernel kernel = kernels.get(variant, () -> KernelGenerator.generate(variant));
    long cellBytes = 16 + (long) staged * size;
    long outBytes = (long) (positions + GUARD_CELLS) * size;
    try (CudaStream stream = context.newStream();
        PinnedBuffer host = context.allocatePinned(Math.max(cellBytes, outBytes));
        PinnedBuffer hostValidity = context.allocatePinned(staged + GUARD_CELLS);
        DeviceBuffer in = context.allocateDevice(cellBytes);
        DeviceBuffer inValidity = context.allocateDevice(staged + 16L);
        DeviceBuffer out = context.allocateDevice(outBytes);
        DeviceBuffer outValidity = context.allocateDevice(positions + (long) GUARD_CELLS)) {
      double[] cells = new double[staged];
      byte[] validity = new byte[staged];
      fill(what.type(), new Random(seed), cells, validity, what.nullable());
      ByteBuffer view = host.view(0, (long) staged * size);
      for (double cell : cells) {
        put(what.type(), view, cell);
      }
      hostValidity.view(0, staged).put(validity);
      stream.copyIn(host, (long) staged * size, in.address());
      stream.copyIn(hostValidity, staged, inValidity.address());
      stream.fill(out.address(), outBytes, POISON);
      stream.fill(outValidity.address(), positions + (long) GUARD_CELLS, POISON);
      kernel.launch(
          stream,
          positions,
          new LaunchArguments()
              .set(KernelParameter.INPUT, in.address())
              .set(KernelParameter.OUTPUT, out.address())
              .set(KernelParameter.INPUT_VALIDITY, inValidity.address())
              .set(KernelParameter.OUTPUT_VALIDITY, outValidity.address())
              .set(KernelParameter.STAGED_CELLS, staged)
              .set(KernelParameter.POSITIONS, positions)
              .set(KernelParameter.SHIFT, shift));
      stream.copyOut(out.address(), outBytes, host);
      stream.copyOut(outValidity.address(), positions + (long) GUARD_CELLS, hostValidity);
      stream.synchronize();
      ByteBuffer results = host.view(0, outBytes);
      ByteBuffer valid = hostValidity.view(0, positions + (long) GUARD_CELLS);
      for (int p = 0; p < positions; p++) {
        String wrong =
            compare(what, cells, validity, p + shift, get(what.type(), results, p), valid.get(p));
        if (wrong != null) {
          return "%s, %d positions, shift %d, output %d: %s"
              .formatted(variant, positions, shift, p, wrong);
        }
      }
      for (int i = positions * size; i < outBytes; i++) {
        if (results.get(i) != POISON) {
          return "%s, %d positions: byte %d behind the outputs was written"
              .formatted(variant, positions, i - positions * size);
        }
      }
      return null;
    }
  }

  private static void fill(
      ElementType type, Random random, double[] cells, byte[] validity, boolean nulls) {
    for (int i = 0; i < cells.length; i++) {
      cells[i] =
          switch (type) {
            case F32 -> (float) (random.nextGaussian() * 10);
            case F64 -> random.nextGaussian() * 10;
            case I32, I64 -> random.nextInt(2_000_001) - 1_000_000;
          };
    }
    Arrays.fill(validity, (byte) 1);
    for (int i = 0; i < cells.length && nulls; i++) {
      validity[i] = (byte) (random.nextInt(3) == 0 ? 0 : 1);
    }
  }

  private static void put(ElementType type, ByteBuffer view, double cell) {
    switch (type) {
      case F32 -> view.putFloat((float) cell);
      case F64 -> view.putDouble(cell);
      case I32 -> view.putInt((int) cell);
      case I64 -> view.putLong((long) cell);
    }
  }

  private static double get(ElementType type, ByteBuffer view, int index) {
    return switch (type) {
      case F32 -> view.getFloat(4 * index);
      case F64 -> view.getDouble(8 * index);
      case I32 -> view.getInt(4 * index);
      case I64 -> view.getLong(8 * index);
    };
  }

  private static String compare(
      FlatStencil what, double[] cells, byte[] validity, int first, double actual, byte valid) {
    double sum = 0;
    double magnitude = 0;
    double chosen = 0;
    int counted = 0;
    boolean anyNull = false;
    for (int tap = 0; tap < what.width(); tap++) {
      double cell = cells[first + tap];
      if (validity[first + tap] == 0) {
        anyNull = true;
        continue;
      }
      double weight = what.reduction() == Reduction.WEIGHTED_SUM ? what.weights().get(tap) : 1;
      sum += weight * cell;
      magnitude += Math.abs(weight * cell);
      boolean better =
          what.reduction() == Reduction.MAX
              ? CellOrder.less(chosen, cell)
              : CellOrder.less(cell, chosen);
      chosen = counted == 0 || better ? cell : chosen;
      counted++;
    }
    boolean some = counted > 0;
    double expected =
        switch (what.reduction()) {
          case SUM, WEIGHTED_SUM -> sum;
          case MEAN -> some ? quotient(what.type(), sum, counted) : 0;
          case MIN, MAX -> chosen;
          case COUNT -> counted;
        };
    double bound =
        switch (what.reduction()) {
          case MIN, MAX, COUNT -> 0;
          default -> errorBound(what, magnitude, counted);
        };
    boolean weightedNull = what.reduction() == Reduction.WEIGHTED_SUM && anyNull;
    if (!weightedNull && !(Math.abs(actual - expected) <= bound)) {
      return "%s, expected %s within %s".formatted(actual, expected, bound);
    }
    int expectedValid = (some || what.reduction() == Reduction.COUNT) && !weightedNull ? 1 : 0;
    return what.nullable() && valid != expectedValid
        ? "validity %d, expected %d".formatted(valid, expectedValid)
        : null;
  }

  private static double quotient(ElementType type, double sum, int counted) {
    if (type.isFloating()) {
      return sum / counted;
    }
    long towardsZero = (long) sum / counted;
    return towardsZero;
  }

  /** Rounding of a sum of {@code counted} products in any order, and of one division. */
  private static double errorBound(FlatStencil what, double magnitude, int counted) {
    double unit =
        switch (what.type()) {
          case F32 -> 0x1p-24;
          case F64 -> 0x1p-53;
          case I32, I64 -> 0;
        };
    double sum = 2 * (counted + 3) * unit * magnitude;
    return what.reduction() == Reduction.MEAN ? sum / Math.max(1, counted) : sum;
  }
}
