/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.util.List;

/**
 * What a superstep costs, to choose its number of steps and that of the blocks: its beginning, the
 * exchange of halos, and the steps, also of the cells that are computed in several blocks.
 *
 * @param superstepSeconds the time of a superstep without work: that of a job, if it is one
 * @param faceSeconds the time that a face takes whatever its size: to be put, found and fetched
 * @param bytesPerSecond at which faces are packed, moved and unpacked
 * @param cellStepSeconds the time of one step of one cell in one task
 */
public record ExchangeCost(
    double superstepSeconds, double faceSeconds, double bytesPerSecond, double cellStepSeconds)
    implements Serializable {
  // measured on a host of 16 cores: a job of 4 tasks in two executors 11.5 ms; a face of 1 MB to
  // another executor 0.6 ms to be put and 1.9 ms to be fetched, 1 GB/s up to 8 MB
  private static final double JOB_SECONDS = 11.5e-3;
  private static final double FACE_SECONDS = 1.5e-3;
  private static final double BYTES_PER_SECOND = 0.5e9;

  // measured on 2 cores, between blocks of one executor, which need no job and no block manager
  private static final double SHARED_SUPERSTEP_SECONDS = 0.1e-3;
  private static final double SHARED_FACE_SECONDS = 10e-6;
  private static final double SHARED_BYTES_PER_SECOND = 2e9;

  // as the CPU engine estimates
  private static final double SECONDS_PER_BYTE = 0.005e-9;
  private static final double SECONDS_PER_OPERATION_BYTE = 0.004e-9;

  /** What a superstep may last, so that progress is seen and cancelling is quick. */
  private static final double MOST_SECONDS = 2;

  private static final int MOST_STEPS = 1 << 14;

  /** Fields larger than this are cut, whatever the number of slots. */
  private static final long MOST_CELLS = 1L << 28;

  /** Returns the cost of a program whose steps are taken by one core per task. */
  public static ExchangeCost ofCores(StencilProgram program, ElementType type) {
    int operations = ProgramTraits.of(program).operations();
    return measured(type.bytes() * (SECONDS_PER_BYTE + SECONDS_PER_OPERATION_BYTE * operations));
  }

  /** Returns the cost if one executor has all blocks, which read each other's cells. */
  public ExchangeCost inOneExecutor() {
    return new ExchangeCost(
        SHARED_SUPERSTEP_SECONDS, SHARED_FACE_SECONDS, SHARED_BYTES_PER_SECOND, cellStepSeconds);
  }

  /** Returns the cost with measured times, for a program whose step of a cell takes that time. */
  public static ExchangeCost measured(double cellStepSeconds) {
    return new ExchangeCost(JOB_SECONDS, FACE_SECONDS, BYTES_PER_SECOND, cellStepSeconds);
  }

  /** Returns the seconds per step of the grid, if every block has a slot of its own. */
  public double secondsPerStep(
      GridBlocks blocks, StepReach reach, int steps, int fields, ElementType type) {
    double own = 1;
    double extended = 1;
    double faces = 1;
    for (int axis = 0; axis < blocks.dimensions(); axis++) {
      double size = blocks.blockSizes().get(axis);
      double depth = (double) steps * (reach.low().get(axis) + reach.high().get(axis));
      boolean cut = blocks.parts(axis) > 1;
      double most = reach.periodic().get(axis) ? Double.MAX_VALUE : blocks.sizes().get(axis);
      own *= size;
      extended *= cut ? Math.min(size + depth, most) : size;
      faces *= cut ? Math.min(blocks.parts(axis), 1 + 2 * Math.ceil(depth / 2 / size)) : 1;
    }
    double bytes = (extended - own) * fields * type.bytes();
    double exchange = (faces - 1) * faceSeconds + 2 * bytes / bytesPerSecond;
    return (superstepSeconds + exchange) / steps + extended * cellStepSeconds;
  }

  /** Returns the number of steps per exchange that makes steps the fastest. */
  public int steps(GridBlocks blocks, StepReach reach, int fields, ElementType type) {
    int best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (int steps = 1; steps <= MOST_STEPS; steps += Math.max(1, steps / 4)) {
      if (steps > 1 && !fits(blocks, reach, steps)) {
        break;
      }
      double seconds = secondsPerStep(blocks, reach, steps, fields, type);
      if (steps > 1 && seconds * steps > MOST_SECONDS) {
        break;
      }
      if (seconds < least) {
        least = seconds;
        best = steps;
      }
    }
    return best;
  }

  private static boolean fits(GridBlocks blocks, StepReach reach, int steps) {
    double cells = 1;
    for (int axis = 0; axis < blocks.dimensions(); axis++) {
      double depth = (double) steps * (reach.low().get(axis) + reach.high().get(axis));
      cells *= blocks.blockSizes().get(axis) + (blocks.parts(axis) > 1 ? depth : 0);
    }
    return cells <= 2.0 * MOST_CELLS;
  }

  /**
   * Returns the blocks with which steps are the fastest.
   *
   * @param slots the number of tasks that run at once
   * @throws InvalidStencilException if the grid has an axis that cannot be cut and is too long
   */
  public GridBlocks blocks(
      List<Long> sizes, StepReach reach, int slots, int fields, ElementType type) {
    GridBlocks best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int count = 1; best == null || count <= slots; count++) {
      GridBlocks blocks = cut(sizes, reach, count);
      if (blocks != null) {
        int steps = steps(blocks, reach, fields, type);
        double rounds = Math.ceil((double) blocks.count() / slots);
        double seconds = rounds * secondsPerStep(blocks, reach, steps, fields, type);
        if (seconds < least) {
          least = seconds;
          best = blocks;
        }
      }
    }
    return best;
  }

  /** Returns a grid in so many blocks, or null if they are too large. */
  private static GridBlocks cut(List<Long> sizes, StepReach reach, int count) {
    double cells = 1;
    for (long size : sizes) {
      cells *= size;
    }
    if (cells / count > MOST_CELLS) {
      return null;
    }
    GridBlocks blocks = GridBlocks.cut(sizes, count, reach);
    double largest = 1;
    for (int size : blocks.blockSizes()) {
      largest *= size;
    }
    if (largest > 2.0 * MOST_CELLS) {
      throw new InvalidStencilException(
          "blocks of %s cells of a grid of %s: axes along which some fields wrap and others do not cannot be cut; use one rule for all fields"
              .formatted(blocks.blockSizes(), sizes));
    }
    return blocks;
  }
}
