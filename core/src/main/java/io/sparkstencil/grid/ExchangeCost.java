/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.util.List;

/**
 * What a superstep costs, to choose its number of steps and that of the blocks: the exchange of
 * halos, and the steps, also of the cells that are computed in several blocks.
 *
 * @param exchange how halos are filled
 * @param cellStepSeconds the time of one step of one cell in one task
 * @param cellSeconds the time that a cell takes in a superstep beside its steps: it is read from
 *     memory and written back
 * @param stepsAtOnce the steps that are taken at once; others take as long as a multiple of them
 */
public record ExchangeCost(
    Exchange exchange, double cellStepSeconds, double cellSeconds, int stepsAtOnce)
    implements Serializable {
  /**
   * How halos are filled.
   *
   * @param superstepSeconds the time of a superstep without work
   * @param faceSeconds the time that a face takes whatever its size
   * @param bytesPerSecond at which faces are moved
   */
  public record Exchange(double superstepSeconds, double faceSeconds, double bytesPerSecond)
      implements Serializable {
    /**
     * Between executors: each superstep is a job, and faces go through block managers. Measured on
     * a host of 16 cores: a job of 4 tasks in two executors 11.5 ms; a face of 1 MB to another
     * executor 0.6 ms to be put and 1.9 ms to be fetched, 1 GB/s up to 8 MB, packed and unpacked.
     */
    public static final Exchange BY_JOBS = new Exchange(11.5e-3, 1.5e-3, 0.25e9);

    /** Between blocks on the heap of one executor. Measured on 2 cores. */
    public static final Exchange ON_HEAP = new Exchange(0.1e-3, 10e-6, 1e9);

    /** Between blocks in the memory of one GPU. Estimated from its rates of copies and launches. */
    public static final Exchange ON_GPU = new Exchange(0.2e-3, 20e-6, 0.5e12);
  }

  // as kernels of several steps were measured on an H200: they wait for memory, or for operations
  private static final double GPU_MOVED_BYTES_PER_SECOND = 2.5e12;
  private static final double GPU_OPERATION_BYTES_PER_SECOND = 9e13;

  // as the CPU engine estimates
  private static final double SECONDS_PER_BYTE = 0.005e-9;
  private static final double SECONDS_PER_OPERATION_BYTE = 0.004e-9;

  // measured: this costs a run as much as 1.5 (3-D) to 5 (2-D) of its steps, of heat
  private static final double SECONDS_PER_MOVED_BYTE = 0.05e-9;

  /** What a superstep may last, so that progress is seen and cancelling is quick. */
  private static final double MOST_SECONDS = 2;

  private static final int MOST_STEPS = 1 << 14;

  /** Fields larger than this are cut, whatever the number of slots. */
  private static final long MOST_CELLS = 1L << 28;

  /**
   * Returns the cost of a program whose steps are taken by one core per task.
   *
   * @param exchange how halos are filled
   */
  public static ExchangeCost ofCores(StencilProgram program, ElementType type, Exchange exchange) {
    int operations = ProgramTraits.of(program).operations();
    double seconds = type.bytes() * (SECONDS_PER_BYTE + SECONDS_PER_OPERATION_BYTE * operations);
    double moved = arrays(program) * type.bytes() * SECONDS_PER_MOVED_BYTE;
    return new ExchangeCost(exchange, seconds, moved, 1);
  }

  /**
   * Returns the cost of a program whose steps are taken by one GPU per task.
   *
   * @param exchange how halos are filled
   * @param stepsAtOnce the steps that a kernel takes
   */
  public static ExchangeCost ofGpus(
      StencilProgram program, ElementType type, Exchange exchange, int stepsAtOnce) {
    double moved = arrays(program) * type.bytes() / stepsAtOnce / GPU_MOVED_BYTES_PER_SECOND;
    double operations = (double) ProgramTraits.of(program).operations() * type.bytes();
    double seconds = Math.max(moved, operations / GPU_OPERATION_BYTES_PER_SECOND);
    return new ExchangeCost(exchange, seconds, 0, stepsAtOnce);
  }

  /** Returns how many arrays are read and written. */
  private static double arrays(StencilProgram program) {
    return program.fields().size() + program.updates().size();
  }

  /**
   * What a step of the grid is expected to take, if every block has a slot of its own.
   *
   * @param exchangeSeconds its share of beginning a superstep and filling halos
   * @param stepSeconds the step itself, of cells in halos, too
   */
  public record Expected(double exchangeSeconds, double stepSeconds) {
    /** Returns both together. */
    public double seconds() {
      return exchangeSeconds + stepSeconds;
    }
  }

  /** Returns what a step of the grid is expected to take. */
  public Expected expected(
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
    double seconds =
        exchange.superstepSeconds()
            + (faces - 1) * exchange.faceSeconds()
            + bytes / exchange.bytesPerSecond();
    double taken = Math.ceil((double) steps / stepsAtOnce) * stepsAtOnce;
    double work = extended * (taken * cellStepSeconds + cellSeconds);
    return new Expected(seconds / steps, work / steps);
  }

  /** Returns the number of steps per exchange that makes steps the fastest. */
  public int steps(GridBlocks blocks, StepReach reach, int fields, ElementType type) {
    int best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (int steps = 1; steps <= MOST_STEPS; steps = next(steps)) {
      if (steps > 1 && !fits(blocks, reach, steps)) {
        break;
      }
      double seconds = expected(blocks, reach, steps, fields, type).seconds();
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

  /** Returns the next number of steps to try: from those that are taken at once on, multiples. */
  private int next(int steps) {
    int next = steps + Math.max(1, steps / 4);
    return steps < stepsAtOnce
        ? Math.min(next, stepsAtOnce)
        : Math.max(next, steps + stepsAtOnce) / stepsAtOnce * stepsAtOnce;
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
        double seconds = rounds * expected(blocks, reach, steps, fields, type).seconds();
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
