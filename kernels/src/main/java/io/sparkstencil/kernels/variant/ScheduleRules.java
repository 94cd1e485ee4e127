/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import io.sparkstencil.model.Reduction;
import java.util.Optional;

/** Which schedules can run which stencils. */
public final class ScheduleRules {
  /** Taps times cells per thread of straight-line code: 64 KiB of instructions at 16 bytes each. */
  static final int MAX_STRAIGHT_TAPS = 4096;

  /** Bytes of weights in the constant bank, which has 64 KiB. */
  static final int MAX_CONSTANT_BYTES = 48 << 10;

  private ScheduleRules() {}

  /** Returns why {@code how} cannot run {@code what}, in words, or empty if it can. */
  public static Optional<String> reasonAgainst(FlatStencil what, KernelSchedule how) {
    int unit = how.vectorBytes() / what.type().bytes();
    if (unit < 1 || how.cellsPerThread() % unit != 0) {
      return Optional.of(
          "%d cells per thread of %s are not whole units of %d bytes"
              .formatted(how.cellsPerThread(), what.type(), how.vectorBytes()));
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
    boolean async = how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC;
    if (async && (what.nullable() || how.vectorBytes() != 16)) {
      return Optional.of("asynchronous copies are 16 bytes wide and cannot replace nulls");
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
      case SHARED_CORE -> againstCore(what, how.cellsPerThread());
      case BLOCK_CORE -> againstCore(what, how.outputsPerBlock());
    };
  }

  private static Optional<String> againstCore(FlatStencil what, int outputs) {
    if (!what.groupsFreely()) {
      return Optional.of("%s must be reduced left to right".formatted(what.label()));
    }
    return what.width() < outputs
        ? Optional.of(
            "frames of %d cells share no core among %d outputs".formatted(what.width(), outputs))
        : Optional.empty();
  }

  private static Optional<String> againstNoTile(FlatStencil what, KernelSchedule how) {
    if (what.nullable()) {
      return Optional.of("nulls are only replaced on the way into a tile");
    }
    if (how.form() != ReductionForm.SEQUENTIAL) {
      return Optional.of("without a tile there is only the sequential form");
    }
    if (what.reduction() == Reduction.COUNT) {
      return Optional.empty(); // no cell is read
    }
    if (how.staging() == StagingStrategy.REGISTER_CACHE_ROUND_ROBIN
        && how.vectorBytes() != what.type().bytes()) {
      return Optional.of("the round-robin register cache loads single cells");
    }
    // A vector's worth of skew included, the last lane reads at most 32 lanes ahead.
    if (how.staging() == StagingStrategy.REGISTER_CACHE_BLOCKED
        && what.width() + what.cellsPerVector() > 31 * how.cellsPerThread()) {
      return Optional.of("frames reach beyond the registers of a warp");
    }
    return againstStraightLine(what, how);
  }

  private static Optional<String> againstStraightLine(FlatStencil what, KernelSchedule how) {
    return (long) what.width() * how.cellsPerThread() > MAX_STRAIGHT_TAPS
        ? Optional.of(
            "%d taps of %d cells are more than %d in straight-line code"
                .formatted(what.width(), how.cellsPerThread(), MAX_STRAIGHT_TAPS))
        : Optional.empty();
  }
}
