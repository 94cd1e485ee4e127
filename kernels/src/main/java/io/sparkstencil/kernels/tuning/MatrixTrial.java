/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.window.MatrixTrialKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Asks a device whether its tensor cores multiply doubles with the bits of a chain of {@link
 * Math#fma}, first product first. NVIDIA does not say so: it was measured, and is asked again on
 * each device, with each driver, before anything relies on it. The cells are always the same:
 * numbers of one size and of very different sizes, sums that almost cancel, numbers too small to be
 * normal, zeros of both signs, and NaN and infinities among others.
 */
public final class MatrixTrial {
  private static final System.Logger LOG = System.getLogger(MatrixTrial.class.getName());

  /** Matrices of each kind of numbers. */
  private static final int MATRICES_OF_KIND = 8;

  private static final int BLOCKS = Numbers.values().length * MATRICES_OF_KIND;
  private static final long SEED = 53;

  private static final double[] SPECIAL = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.0,
    -0.0,
    Double.MIN_VALUE,
    -Double.MIN_NORMAL,
    Double.MAX_VALUE,
    1,
    -1 - 0x1p-52
  };

  private enum Numbers {
    ONE_SIZE,
    MANY_SIZES,
    CANCELLING,
    TINY,
    ZEROS,
    SPECIAL
  }

  private final MatrixTrialKernel kernel;

  private MatrixTrial(MatrixTrialKernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Returns what is known of a device once its tensor cores are tried out. Where they have other
   * bits than is promised or could not be tried, they are not used, and a line of the log says why.
   */
  public static DeviceTraits tried(PrimaryContext context, DeviceTraits device) {
    Optional<String> against = reasonAgainst(context, device.matrices());
    against.ifPresent(
        reason ->
            LOG.log(
                System.Logger.Level.WARNING,
                "%s computes weighted sums without tensor cores, with the same bits, but slower: %s"
                    .formatted(context.traits(), reason)));
    return device.withTensorCores(against.isEmpty());
  }

  /** Returns why tensor cores must not be used for any of these shapes, or empty. */
  public static Optional<String> reasonAgainst(PrimaryContext context, List<MatrixShape> shapes) {
    return shapes.stream().flatMap(shape -> reasonAgainst(context, shape).stream()).findFirst();
  }

  /**
   * Returns why tensor cores must not be used, or empty if all results have the bits of a chain.
   * What could not be tried is not used either.
   *
   * @param shape the matrices of one instruction, which the device has
   */
  public static Optional<String> reasonAgainst(PrimaryContext context, MatrixShape shape) {
    try {
      int wrong = new MatrixTrial(new MatrixTrialKernel(shape)).wrong(context);
      return wrong == 0
          ? Optional.empty()
          : Optional.of(
              "%d of %d results of %s differ in their bits from fused multiply-adds in order"
                  .formatted(wrong, results(shape), shape.label()));
    } catch (KernelCompilationException e) {
      return Optional.of("the driver refuses %s: %s".formatted(shape.label(), e.getMessage()));
    } catch (DeviceLostException e) {
      throw e;
    } catch (StencilException e) { // such as memory that others hold
      return Optional.of("%s could not be tried: %s".formatted(shape.label(), e.getMessage()));
    }
  }

  /** Returns the number of results that are compared. */
  public static int results(MatrixShape shape) {
    return BLOCKS * new MatrixTrialKernel(shape).results();
  }

  private int wrong(PrimaryContext context) {
    double[] input = input();
    int inputBytes = input.length * Double.BYTES;
    int resultBytes = BLOCKS * kernel.results() * Double.BYTES;
    try (KernelCache cache = new KernelCache(context);
        HeldKernels held = cache.hold(key -> kernel.generate());
        PinnedBuffer host = context.allocatePinned(Math.max(inputBytes, resultBytes));
        DeviceBuffer from = context.allocateDevice(inputBytes);
        DeviceBuffer to = context.allocateDevice(resultBytes);
        CudaStream stream = context.newStream()) {
      host.view(0, inputBytes).asDoubleBuffer().put(input);
      stream.copyIn(host, inputBytes, from.address());
      LaunchArguments arguments =
          new LaunchArguments()
              .set(KernelParameter.INPUT, from.address())
              .set(KernelParameter.OUTPUT, to.address());
      held.get(kernel).launch(stream, BLOCKS * kernel.results(), arguments);
      stream.copyOut(to.address(), resultBytes, host);
      stream.synchronize();
      return compare(input, host.view(0, resultBytes));
    }
  }

  private int compare(double[] input, ByteBuffer results) {
    int wrong = 0;
    for (int block = 0; block < BLOCKS; block++) {
      for (int i = 0; i < kernel.results(); i++) {
        double result = results.getDouble((block * kernel.results() + i) * Double.BYTES);
        double expected = expected(input, block * kernel.inputs(), i);
        wrong += Double.doubleToLongBits(result) == Double.doubleToLongBits(expected) ? 0 : 1;
      }
    }
    return wrong;
  }

  private double expected(double[] input, int first, int result) {
    int left = first + result / MatrixShape.COLUMNS * MatrixTrialKernel.PRODUCTS;
    int right = first + kernel.leftCells();
    double sum = input[right + kernel.rightCells() + result];
    right += result % MatrixShape.COLUMNS * MatrixTrialKernel.PRODUCTS;
    for (int product = 0; product < MatrixTrialKernel.PRODUCTS; product++) {
      sum = Math.fma(input[left + product], input[right + product], sum);
    }
    return sum;
  }

  private double[] input() {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] cells = new double[BLOCKS * kernel.inputs()];
    for (int i = 0; i < cells.length; i++) {
      int inBlock = i % kernel.inputs();
      Numbers kind = Numbers.values()[i / kernel.inputs() / MATRICES_OF_KIND];
      int factors = kernel.leftCells() + kernel.rightCells();
      cells[i] = cell(kind, inBlock < kernel.leftCells(), inBlock < factors, random);
    }
    return cells;
  }

  private static double cell(Numbers kind, boolean left, boolean factor, SplittableRandom random) {
    double number = random.nextDouble(-1, 1);
    return switch (kind) {
      case ONE_SIZE -> number;
      case MANY_SIZES -> Math.scalb(number, random.nextInt(-20, 21));
      case CANCELLING -> Math.copySign(1 + number * 0x1p-30, random.nextInt(2) - 0.5);
      case TINY -> Math.scalb(number, factor ? -531 : -1060);
      // products that are -0.0, but for a few
      case ZEROS -> left && random.nextInt(32) > 0 ? 0.0 : -0.0;
      case SPECIAL -> random.nextInt(24) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : number;
    };
  }
}
