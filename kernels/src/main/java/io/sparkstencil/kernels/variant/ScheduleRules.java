/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.Optional;

/** Which schedules can run which stencils. */
public final class ScheduleRules {
  /**
   * Operations of straight-line code, over all taps and cells of a thread: 64 KiB of instructions
   * at 16 bytes each. With 5140, exact F64 weights in the instructions, the compiler of CUDA 13.0
   * spills 4432 bytes for sm_90 where that of 12.6 spills none; up to here neither does.
   */
  static final int MAX_STRAIGHT_OPERATIONS = 4096;

  /** Bytes of weights in the constant bank, which has 64 KiB. */
  static final int MAX_CONSTANT_BYTES = 48 << 10;

  /** Totals of threads that a core is made of; more of them run out of registers. */
  static final int MAX_TOTALS = 1024;

  /** Shared memory that one block of any device since Volta but Turing's can have. */
  static final int MAX_SHARED_BYTES = 96 << 10;

  /** Shared memory that one block of an H100 can have. */
  private static final int MAX_SHARED_BYTES_OF_HOPPER = 227 << 10;

  /** Taps up to which the round-robin register cache takes nulls; compilers for sm_70 spill. */
  private static final int MAX_ROUNDS_WITH_COUNTS = 65;

  private ScheduleRules() {}

  /** Returns why {@code how} cannot run {@code what}, in words, or empty if it can. */
  public static Optional<String> reasonAgainst(FlatStencil what, KernelSchedule how) {
    int unit = how.vectorBytes() / what.type().bytes();
    if (unit < 1 || how.cellsPerThread() % unit != 0) {
      return Optional.of(
          "%d cells per thread of %s are not whole units of %d bytes"
              .formatted(how.cellsPerThread(), what.type(), how.vectorBytes()));
    }
    if (how.persistingMebibytes() > 0 && !how.staging().fillsAsynchronously()) {
      return Optional.of("only asynchronous copies carry a policy for the second-level cache");
    }
    int units = how.cellsPerThread() / unit;
    if (units % 2 == 0 && Integer.bitCount(units) != 1) {
      return Optional.of(
          "%d units per thread; use an odd number or a power of two".formatted(units));
    }
    if (how.coefficients() == CoefficientPlacement.CONSTANT
        && (long) what.width() * what.type().bytes() > MAX_CONSTANT_BYTES) {
      return Optional.of(
          "%d weights of %d bytes exceed %d bytes of constants"
              .formatted(what.width(), what.type().bytes(), MAX_CONSTANT_BYTES));
    }
    return how.staging().usesTile() ? againstTile(what, how) : againstNoTile(what, how);
  }

  private static Optional<String> againstTile(FlatStencil what, KernelSchedule how) {
    boolean async = how.staging().fillsAsynchronously();
    if (async && (what.nullable() || how.vectorBytes() != 16)) {
      return Optional.of("asynchronous copies are 16 bytes wide and cannot replace nulls");
    }
    int units = how.cellsPerThread() * what.type().bytes() / how.vectorBytes();
    if (how.staging() == StagingStrategy.SHARED_MEMORY_BULK && units % 2 == 0) {
      return Optional.of("a bulk copy leaves no padding, which an even number of units needs");
    }
    return switch (how.form()) {
      case SEQUENTIAL -> againstStraightLine(what, how);
      case SEQUENTIAL_LOOP -> {
        if (how.vectorBytes() != 16) {
          yield Optional.of("the loop over taps works on units of 16 bytes");
        }
        if (what.reduction() == Reduction.WEIGHTED_SUM
            && how.coefficients() == CoefficientPlacement.IMMEDIATE) {
          yield Optional.of("a loop over taps reads its weights from memory");
        }
        yield what.width() < 2 * how.cellsPerThread()
            ? Optional.of("the loop needs frames of at least twice the cells per thread")
            : Optional.empty();
      }
      case SHARED_CORE ->
          againstCore(what, how, how.cellsPerThread())
              .or(() -> againstShared(coreBytes(what, how), MAX_SHARED_BYTES));
      case BLOCK_CORE -> againstCore(what, how, how.outputsPerBlock());
      case TENSOR_CORE, TENSOR_CORE_DEEP, TENSOR_CORE_EIGHT_ROWS -> againstTensorCore(what, how);
    };
  }

  private static Optional<String> againstTensorCore(FlatStencil what, KernelSchedule how) {
    boolean fused =
        what.reduction() == Reduction.WEIGHTED_SUM
            && what.type() == ElementType.F64
            && what.accuracy() != Accuracy.EXACT;
    if (!fused || what.nullable()) {
      return Optional.of("tensor cores multiply and add weighted F64 cells at once, without nulls");
    }
    if (how.staging() != StagingStrategy.SHARED_MEMORY_ASYNC) {
      return Optional.of("tiles for tensor cores are filled by asynchronous copies");
    }
    if (how.coefficients() != CoefficientPlacement.READ_ONLY) {
      return Optional.of("tensor cores take their weights from memory");
    }
    if (how.cellsPerThread() < 8 || Integer.bitCount(how.cellsPerThread()) != 1) {
      return Optional.of(
          "%d cells per thread; tensor cores take 8, 16 or 32".formatted(how.cellsPerThread()));
    }
    boolean hopper = how.form() != ReductionForm.TENSOR_CORE_EIGHT_ROWS;
    return againstShared(
        tensorBytes(what, how), hopper ? MAX_SHARED_BYTES_OF_HOPPER : MAX_SHARED_BYTES);
  }

  /**
   * Returns the shared memory of a block: two tiles, with 4 cells of padding between segments, and
   * the weights, with zeros on both sides.
   */
  static long tensorBytes(FlatStencil what, KernelSchedule how) {
    long products = how.form().matrices().orElseThrow().products(what);
    long cells = how.outputsPerBlock() + products - MatrixShape.COLUMNS;
    long padded = cells + (cells - 1) / (2L * how.cellsPerThread()) * 4;
    return 8 * (2 * padded + products + MatrixShape.COLUMNS);
  }

  /** Returns what a device lacks that a schedule needs, or empty. */
  public static Optional<String> reasonAgainst(
      DeviceTraits traits, FlatStencil what, KernelSchedule how) {
    return switch (how.form()) {
      case SHARED_CORE -> againstShared(coreBytes(what, how), traits.sharedBytesPerBlock());
      case TENSOR_CORE, TENSOR_CORE_DEEP, TENSOR_CORE_EIGHT_ROWS ->
          againstMatrices(traits, how.form().matrices().orElseThrow())
              .or(() -> againstShared(tensorBytes(what, how), traits.sharedBytesPerBlock()));
      case SEQUENTIAL, SEQUENTIAL_LOOP, BLOCK_CORE -> Optional.empty();
    };
  }

  private static Optional<String> againstMatrices(DeviceTraits traits, MatrixShape shape) {
    if (traits.computeCapability() < shape.target().architecture()) {
      return Optional.of(
          "%s of doubles came with %s".formatted(shape.label(), shape.target().targetName()));
    }
    return traits.tensorCoresFuse()
        ? Optional.empty()
        : Optional.of("the tensor cores of this device are not used, as the log says");
  }

  private static Optional<String> againstShared(long bytes, int limit) {
    return bytes > limit
        ? Optional.of(
            "the tile takes up to %d bytes of shared memory, %d are there".formatted(bytes, limit))
        : Optional.empty();
  }

  /** At most: the tile, padded, the totals of threads and of groups of them, staged outputs. */
  private static long coreBytes(FlatStencil what, KernelSchedule how) {
    int cellBytes = what.type().bytes() + (what.nullable() ? 4 : 0);
    long cells = (long) how.outputsPerBlock() + what.width() + 2L * what.cellsPerVector();
    int units = how.cellsPerThread() * what.type().bytes() / how.vectorBytes();
    long padded = units % 2 == 0 ? cells + cells / units : cells;
    long totals = 2L * (how.threadsPerBlock() + what.width() / how.cellsPerThread() + 8);
    long staged = units > 1 ? 2L * how.outputsPerBlock() * what.type().bytes() : 0;
    return (padded + totals) * cellBytes + staged;
  }

  private static Optional<String> againstCore(FlatStencil what, KernelSchedule how, int outputs) {
    if (!what.groupsFreely()) {
      return Optional.of("%s must be reduced left to right".formatted(what.label()));
    }
    if (how.form() == ReductionForm.SHARED_CORE && what.width() / outputs > MAX_TOTALS) {
      return Optional.of(
          "a core of %d totals is more than %d in straight-line code"
              .formatted(what.width() / outputs, MAX_TOTALS));
    }
    return what.width() < outputs
        ? Optional.of(
            "frames of %d cells share no core among %d outputs".formatted(what.width(), outputs))
        : Optional.empty();
  }

  private static Optional<String> againstNoTile(FlatStencil what, KernelSchedule how) {
    if (how.form() != ReductionForm.SEQUENTIAL) {
      return Optional.of("without a tile there is only the sequential form");
    }
    if (what.reduction() == Reduction.COUNT && !what.nullable()) {
      return Optional.empty(); // no cell is read
    }
    boolean roundRobin = how.staging() == StagingStrategy.REGISTER_CACHE_ROUND_ROBIN;
    if (roundRobin && how.vectorBytes() != what.type().bytes()) {
      return Optional.of("the round-robin register cache loads single cells");
    }
    if (roundRobin && what.nullable() && what.width() > MAX_ROUNDS_WITH_COUNTS) {
      return Optional.of("shuffles of cells and of counts run out of registers");
    }
    if (roundRobin && roundRobinRegisters(what, how) > how.registerBudget()) {
      return Optional.of(
          "%d cells per lane do not fit %d registers"
              .formatted(cachedPerLane(what, how), how.registerBudget()));
    }
    // A vector's worth of skew included, the last lane reads at most 32 lanes ahead.
    if (how.staging() == StagingStrategy.REGISTER_CACHE_BLOCKED
        && what.width() + what.cellsPerVector() > 31 * how.cellsPerThread()) {
      return Optional.of("frames reach beyond the registers of a warp");
    }
    return againstStraightLine(what, how);
  }

  /** Cells that the round-robin register cache keeps in each lane. */
  private static int cachedPerLane(FlatStencil what, KernelSchedule how) {
    return (32 * how.cellsPerThread() + what.width() + 30) / 32;
  }

  /** What the cache takes, its sums and shuffles in flight included, by the assembler's reports. */
  private static int roundRobinRegisters(FlatStencil what, KernelSchedule how) {
    int words = what.type().bytes() / 4 + (what.nullable() ? 1 : 0);
    return words * (cachedPerLane(what, how) + how.cellsPerThread()) + 32;
  }

  private static Optional<String> againstStraightLine(FlatStencil what, KernelSchedule how) {
    long operations = (long) what.width() * how.cellsPerThread() * what.operationsPerTap();
    return operations > MAX_STRAIGHT_OPERATIONS
        ? Optional.of(
            "%d taps of %d cells take %d operations, more than %d in straight-line code"
                .formatted(what.width(), how.cellsPerThread(), operations, MAX_STRAIGHT_OPERATIONS))
        : Optional.empty();
  }
}
