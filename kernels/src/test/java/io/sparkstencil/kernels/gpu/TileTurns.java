/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.MatrixShape;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Weighted sums of doubles on tensor cores, at random, by fewer blocks than tiles: with cells that
 * are not finite, sums that overflow and zeros of both signs, many of them where tiles meet.
 */
final class TileTurns {
  private static final int CASES = 12;
  private static final int MOST_TILES = 4;
  private static final int WIDEST = 520;
  private static final int GUARD_CELLS = 64;
  private static final int NEAR = 16;
  private static final byte POISON = (byte) 0xFB;

  private static final double[] SPECIAL = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_VALUE,
    0.0,
    -0.0
  };

  private static final double[] SPECIAL_WEIGHTS = {0.0, -0.0, 1e300, Double.MIN_VALUE};

  /** Products of two such numbers are zeros, of either sign. */
  private static final double TINY = 1e-200;

  private TileTurns() {}

  /** Returns what is wrong with the results of a device that has a shape. */
  static List<String> wrong(PrimaryContext context, MatrixShape shape) {
    List<String> wrong = new ArrayList<>();
    try (KernelCache cache = new KernelCache(context);
        HeldKernels kernels = cache.hold(key -> KernelGenerator.generate((KernelVariant) key))) {
      for (int number = 0; number < CASES; number++) {
        Random random = FusedCases.random(CASES * shape.ordinal() + number);
        KernelVariant variant = variant(shape, random);
        int tiles = 1 + random.nextInt(MOST_TILES);
        int blocks = 1 + random.nextInt(tiles);
        int last = 1 + random.nextInt(variant.how().outputsPerBlock());
        int positions = (tiles - 1) * variant.how().outputsPerBlock() + last;
        String difference =
            difference(context, kernels.get(variant), variant, positions, blocks, random);
        if (difference != null) {
          wrong.add(
              "case %d, %s, %d positions, %d blocks: %s"
                  .formatted(number, variant, positions, blocks, difference));
        }
      }
    }
    return wrong;
  }

  private static KernelVariant variant(MatrixShape shape, Random random) {
    double[] weights = new double[1 + random.nextInt(WIDEST)];
    int kind = random.nextInt(3);
    for (int i = 0; i < weights.length; i++) {
      weights[i] =
          kind == 1 && random.nextInt(4) == 0
              ? SPECIAL_WEIGHTS[random.nextInt(SPECIAL_WEIGHTS.length)]
              : random.nextGaussian() * (kind == 2 ? TINY : 1);
    }
    FlatStencil what =
        new FlatStencil(
            Reduction.WEIGHTED_SUM,
            weights.length,
            Weights.of(weights),
            ElementType.F64,
            Accuracy.FMA,
            false,
            random.nextInt(2));
    DeviceTraits device =
        new DeviceTraits(shape.target().architecture(), DeviceTraits.H200.sharedBytesPerBlock());
    List<KernelSchedule> schedules =
        SearchSpace.candidates(device, what).stream()
            .filter(how -> how.form().matrices().filter(shape::equals).isPresent())
            .toList();
    return new KernelVariant(what, schedules.get(random.nextInt(schedules.size())));
  }

  private static String difference(
      PrimaryContext context,
      LoadedKernel kernel,
      KernelVariant variant,
      int positions,
      int blocks,
      Random random) {
    FlatStencil what = variant.what();
    int shift = what.skewCells() + 2 * random.nextInt(3);
    int staged = shift + positions + what.width() - 1;
    double[] cells = cells(staged, variant.how().outputsPerBlock(), random);
    int resultBytes = (positions + GUARD_CELLS) * Double.BYTES;
    try (PinnedBuffer host = context.allocatePinned(Math.max(resultBytes, staged * Double.BYTES));
        DeviceBuffer input = context.allocateDevice(staged * Double.BYTES);
        DeviceBuffer output = context.allocateDevice(resultBytes);
        CudaStream stream = context.newStream()) {
      host.view(0, staged * Double.BYTES).asDoubleBuffer().put(cells);
      stream.copyIn(host, staged * Double.BYTES, input.address());
      stream.fill(output.address(), resultBytes, POISON);
      LaunchArguments arguments =
          new LaunchArguments()
              .set(KernelParameter.INPUT, input.address())
              .set(KernelParameter.OUTPUT, output.address())
              .set(KernelParameter.STAGED_CELLS, staged)
              .set(KernelParameter.POSITIONS, positions)
              .set(KernelParameter.SHIFT, shift);
      kernel.launch(stream, blocks, 1, arguments);
      stream.copyOut(output.address(), resultBytes, host);
      stream.synchronize();
      return difference(what, cells, shift, positions, host.view(0, resultBytes));
    }
  }

  /** Returns cells, all of one size, of which some are special: anywhere, near ends of tiles. */
  private static double[] cells(int count, int tile, Random random) {
    double size = random.nextInt(2) == 0 ? TINY : 1;
    int anywhere = new int[] {0, 40, 400}[random.nextInt(3)];
    int nearEnds = random.nextInt(2) == 0 ? 0 : 12;
    double[] cells = new double[count];
    for (int i = 0; i < count; i++) {
      boolean near = (i + NEAR) % tile < 2 * NEAR;
      int between = near && nearEnds > 0 ? nearEnds : anywhere;
      cells[i] =
          between > 0 && random.nextInt(between) == 0
              ? SPECIAL[random.nextInt(SPECIAL.length)]
              : random.nextGaussian() * size;
    }
    return cells;
  }

  private static String difference(
      FlatStencil what, double[] cells, int shift, int positions, ByteBuffer results) {
    double[] weights = what.weights().toArray();
    for (int position = 0; position < positions; position++) {
      double expected = 0;
      for (int tap = 0; tap < weights.length; tap++) {
        expected = Math.fma(weights[tap], cells[shift + position + tap], expected);
      }
      expected += 0.0;
      double actual = results.getDouble(position * Double.BYTES);
      if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
        return "output %d: %s, expected %s".formatted(position, actual, expected);
      }
    }
    byte[] behind = new byte[GUARD_CELLS * Double.BYTES];
    results.get(positions * Double.BYTES, behind);
    byte[] untouched = new byte[behind.length];
    Arrays.fill(untouched, POISON);
    return Arrays.equals(behind, untouched) ? null : "cells behind the outputs were written";
  }
}
