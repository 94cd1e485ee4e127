/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses the schedule of a stencil on a device without running anything. Pure: no device, no
 * clock, no configuration. The measurements behind each threshold are in docs/measurements.md. They
 * are of one device; where another was surveyed, those that depend on its speed or its caches move
 * as its {@link DeviceProfile} says.
 *
 * <p>The bulk copy engine and windows of the second-level cache are left to the search: neither is
 * ahead in general.
 */
public final class ScheduleSelector {
  /** Widths up to which one 16-byte unit per thread is fastest. */
  private static final int ONE_UNIT_UP_TO = 5;

  /** Widths from which five units per thread are, where each output goes its own way. */
  private static final int FIVE_UNITS_FROM = 34;

  /** Widths from which seven are. */
  private static final int SEVEN_UNITS_FROM = 50;

  /**
   * Widths from which exact weighted sums of F32, two operations per tap, fill the tile through
   * registers.
   */
  private static final int TWO_OPERATIONS_THROUGH_REGISTERS_FROM = 33;

  /** Widths up to which code is straight-line; beyond, a loop is as fast and compiles faster. */
  private static final int STRAIGHT_UP_TO = 65;

  /** Widths from which tensor cores are fastest for what they can compute. */
  private static final int TENSOR_CORES_FROM = 65;

  /** Time of a product by matrices of twice the products, that by the others being 1. */
  private static final double DEEP_PRODUCT_TIME = 0.974;

  /** Registers of a multiprocessor. */
  private static final int REGISTERS = 65_536;

  /** Shared memory of a block that its device keeps for itself. */
  private static final int SHARED_BYTES_OF_SYSTEM = 1024;

  /** Widths up to which their code is straight-line. */
  private static final int WRITTEN_UP_TO = 129;

  /** Bytes of a frame up to which 64 threads share a tile best. */
  private static final int SMALL_FRAME_BYTES = 257 * 8;

  /** Up to here 128 threads do. */
  private static final int MEDIUM_FRAME_BYTES = 513 * 8;

  /** Up to here 256 threads share a tile; then a block has one core. */
  private static final int TILE_FRAME_BYTES = 14 << 10;

  /** From here on larger blocks are faster, because they read the core less often. */
  private static final int LARGE_FRAME_BYTES = 40 << 10;

  /** From here on the largest are. */
  private static final int HUGE_FRAME_BYTES = 256 << 10;

  /** The outputs of those, which only frames as wide can share a core among. */
  private static final int WIDEST_BLOCK_BYTES = 512 * 7 * 16;

  private ScheduleSelector() {}

  /** Returns the schedule for {@code what} on a device with {@code traits}. */
  public static KernelSchedule select(DeviceTraits traits, FlatStencil what) {
    requireNonNull(traits, "traits is null");
    if (what.reduction() == Reduction.COUNT && !what.nullable()) {
      // Nothing is loaded: one unit per thread, like the fastest copy.
      return KernelSchedule.plain(StagingStrategy.DIRECT, 256, what.cellsPerVector(), 16, 32);
    }
    if (what.groupsFreely()) {
      return grouped(traits, what);
    }
    return sequential(traits, what);
  }

  private static KernelSchedule grouped(DeviceTraits traits, FlatStencil what) {
    int width = what.width();
    long frameBytes = (long) width * what.type().bytes();
    // Twelve F32 or six F64 cells per thread need frames as wide for a core.
    if (width <= ONE_UNIT_UP_TO || width < 3 * what.cellsPerVector()) {
      boolean core = width > 4 && width >= what.cellsPerVector();
      return tile(
          traits, what, 128, 1, core ? ReductionForm.SHARED_CORE : ReductionForm.SEQUENTIAL);
    }
    if (frameBytes <= SMALL_FRAME_BYTES) {
      return tile(traits, what, what.nullable() ? 128 : 64, 3, ReductionForm.SHARED_CORE);
    }
    if (frameBytes <= TILE_FRAME_BYTES) {
      KernelSchedule small = tile(traits, what, 128, 3, ReductionForm.SHARED_CORE);
      KernelSchedule large = tile(traits, what, 256, 3, ReductionForm.SHARED_CORE);
      // With nulls, the wider of these frames do not fit the 64 KiB of Turing's blocks.
      boolean fits = ScheduleRules.reasonAgainst(traits, what, large).isEmpty();
      return frameBytes <= MEDIUM_FRAME_BYTES || !fits ? small : large;
    }
    if (what.nullable()) {
      return tile(traits, what, 256, 3, ReductionForm.BLOCK_CORE);
    }
    if (frameBytes <= LARGE_FRAME_BYTES) {
      int threads = frameBytes <= 2 * TILE_FRAME_BYTES ? 128 : 256;
      return tile(traits, what, threads, 7, ReductionForm.BLOCK_CORE);
    }
    // Blocks read their frames from the second-level cache, the larger ones fewer times.
    double huge = Math.max(WIDEST_BLOCK_BYTES, traits.profile().cacheRatio() * HUGE_FRAME_BYTES);
    int units = frameBytes <= huge ? 5 : 7;
    return tile(traits, what, 512, units, ReductionForm.BLOCK_CORE);
  }

  private static KernelSchedule sequential(DeviceTraits traits, FlatStencil what) {
    int width = what.width();
    boolean twoOperations = what.operationsPerTap() == 2;
    if (width <= ONE_UNIT_UP_TO) {
      return tile(traits, what, 128, 1, ReductionForm.SEQUENTIAL);
    }
    Optional<KernelSchedule> tensorCore =
        width < TENSOR_CORES_FROM ? Optional.empty() : onTensorCores(traits, what);
    if (tensorCore.isPresent()) {
      return tensorCore.get();
    }
    if (width > STRAIGHT_UP_TO) {
      int units = what.nullable() ? 3 : what.type() == ElementType.F64 ? 7 : 5;
      return tile(traits, what, units == 7 ? 128 : 64, units, ReductionForm.SEQUENTIAL_LOOP);
    }
    // A device that computes faster, for its memory, needs wider frames until it waits for that.
    double compute = traits.profile().computeRatio();
    if (twoOperations || what.nullable() || width < compute * FIVE_UNITS_FROM) {
      KernelSchedule how = tile(traits, what, 64, 3, ReductionForm.SEQUENTIAL);
      boolean throughRegisters =
          twoOperations
              && what.type() == ElementType.F32
              && width >= compute * TWO_OPERATIONS_THROUGH_REGISTERS_FROM;
      return throughRegisters
          ? how.withStaging(StagingStrategy.SHARED_MEMORY).withHints(CacheHints.SKIP_L1)
          : how;
    }
    int units = width < compute * SEVEN_UNITS_FROM ? 5 : 7;
    return tile(traits, what, 64, units, ReductionForm.SEQUENTIAL);
  }

  /**
   * Returns a schedule for tensor cores where they multiply doubles faster than other units do: on
   * H100 and its kin, at twice the rate, and on A100 by its data sheet. Others have them, too, at
   * the rate of the others.
   */
  private static Optional<KernelSchedule> onTensorCores(DeviceTraits traits, FlatStencil what) {
    return traits.matrices().stream()
        .filter(shape -> traits.computeCapability() == shape.target().architecture())
        .sorted(Comparator.comparingDouble(shape -> productTime(shape, what)))
        .flatMap(shape -> tensorCores(traits, shape, what))
        .findFirst();
  }

  /**
   * Returns schedules of a shape that a device can run, those first that leave room to most warps.
   */
  private static Stream<KernelSchedule> tensorCores(
      DeviceTraits traits, MatrixShape shape, FlatStencil what) {
    return IntStream.of(64, 128, 256)
        .mapToObj(threads -> tensorCore(shape, what, threads, 16))
        .filter(how -> ScheduleRules.reasonAgainst(what, how).isEmpty())
        .filter(how -> ScheduleRules.reasonAgainst(traits, what, how).isEmpty())
        .sorted(Comparator.comparingLong(how -> -residentWarps(traits, what, how)));
  }

  /** Returns the warps of a multiprocessor for whose registers and tiles there is room. */
  private static long residentWarps(DeviceTraits traits, FlatStencil what, KernelSchedule how) {
    long byRegisters = REGISTERS / ((long) how.registerBudget() * how.threadsPerBlock());
    long tile = ScheduleRules.tensorBytes(what, how) + SHARED_BYTES_OF_SYSTEM;
    long byShared = traits.sharedBytesPerBlock() / tile;
    return how.threadsPerBlock() / 32 * Math.min(byRegisters, byShared);
  }

  /** Returns the time of the products of an output, those of zeros beside its frame included. */
  private static double productTime(MatrixShape shape, FlatStencil what) {
    double each = shape == MatrixShape.SIXTEEN_ROWS_DEEP ? DEEP_PRODUCT_TIME : 1;
    return each * shape.products(what);
  }

  /** Returns a schedule over tiles for tensor cores. */
  static KernelSchedule tensorCore(
      MatrixShape shape, FlatStencil what, int threads, int cellsPerThread) {
    // Loops take more: compilers load the cells of a turn in advance.
    boolean loops = what.width() > WRITTEN_UP_TO;
    int registers =
        switch (cellsPerThread) {
          case 8 -> 80;
          case 16 -> loops ? 128 : 96;
          default -> loops ? 200 : 176;
        };
    return new KernelSchedule(
        StagingStrategy.SHARED_MEMORY_ASYNC,
        threads,
        cellsPerThread,
        16,
        CoefficientPlacement.READ_ONLY,
        ReductionForm.by(shape),
        CacheHints.NONE,
        registers,
        0);
  }

  /** Returns a schedule over tiles, filled as the device does it best. */
  static KernelSchedule tile(
      DeviceTraits traits, FlatStencil what, int threads, int units, ReductionForm form) {
    boolean async =
        traits.computeCapability() >= 80
            && !what.nullable()
            && !traits.profile().losesByAsyncCopies();
    return new KernelSchedule(
        async ? StagingStrategy.SHARED_MEMORY_ASYNC : StagingStrategy.SHARED_MEMORY,
        threads,
        // An odd number of units: no bank conflicts without padding.
        units * what.cellsPerVector(),
        16,
        coefficients(what, form),
        form,
        // Through registers, loads that skip the L1 cache are faster.
        async ? CacheHints.NONE : CacheHints.SKIP_L1,
        registers(what, units, form),
        0);
  }

  /** Weights of straight-line code are in it; constants are ahead of global memory in loops. */
  private static CoefficientPlacement coefficients(FlatStencil what, ReductionForm form) {
    if (what.reduction() != Reduction.WEIGHTED_SUM || form == ReductionForm.SEQUENTIAL) {
      return CoefficientPlacement.IMMEDIATE;
    }
    return (long) what.width() * what.type().bytes() <= ScheduleRules.MAX_CONSTANT_BYTES
        ? CoefficientPlacement.CONSTANT
        : CoefficientPlacement.READ_ONLY;
  }

  /** Registers that compilers for sm_70 to sm_100 get by with, by what a thread holds. */
  private static int registers(FlatStencil what, int units, ReductionForm form) {
    boolean loops = form == ReductionForm.SEQUENTIAL_LOOP || form == ReductionForm.BLOCK_CORE;
    int base = units <= 1 ? 40 : units <= 3 ? 64 : units <= 5 ? 80 : 96;
    return Math.min(168, base + (loops ? 32 : 0) + (what.nullable() ? 56 : 0));
  }
}
