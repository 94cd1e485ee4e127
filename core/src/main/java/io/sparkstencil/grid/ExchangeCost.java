/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a superstep costs, to choose its number of steps and that of the blocks: the exchange of
 * halos, and the steps, also of the cells that are computed in several blocks.
 *
 * @param exchange how halos are filled
 * @param turns the blocks that a slot takes in turn
 * @param cellStepSeconds the time of one step of one cell in one task
 * @param cellSeconds the time that a cell takes in a superstep beside its steps: it is read from
 *     memory and written back
 * @param stepsAtOnce the steps that are taken at once; others take as long as a multiple of them
 * @param mostCells larger fields are cut, whatever the number of slots
 * @param room what becomes of cells for which the device has no room
 */
public record ExchangeCost(
    Exchange exchange,
    Turns turns,
    double cellStepSeconds,
    double cellSeconds,
    int stepsAtOnce,
    double mostCells,
    Room room)
    implements Serializable {
  /**
   * The memory that a block may have where it stays between supersteps; what is larger waits
   * elsewhere.
   *
   * @param cells those of a block and its halo that stay
   * @param copySeconds what it takes to bring one of the others and to take it back
   */
  public record Room(double cells, double copySeconds) implements Serializable {
    /** Everything stays. */
    public static final Room UNLIMITED = new Room(Double.POSITIVE_INFINITY, 0);
  }

  /**
   * How halos are filled.
   *
   * @param superstepSeconds the time of a superstep without work
   * @param faceSeconds the time that a face takes whatever its size
   * @param bytesPerSecond at which faces are moved
   * @param overlaps whether the slot goes on with other blocks meanwhile
   */
  public record Exchange(
      double superstepSeconds, double faceSeconds, double bytesPerSecond, boolean overlaps)
      implements Serializable {
    /** Creates an exchange that a slot waits for. */
    public Exchange(double superstepSeconds, double faceSeconds, double bytesPerSecond) {
      this(superstepSeconds, faceSeconds, bytesPerSecond, false);
    }

    private double seconds(double faces, double bytes) {
      return superstepSeconds + faces * faceSeconds + bytes / bytesPerSecond;
    }

    /**
     * Between executors: faces go through block managers, and each superstep waits for them; a job
     * takes so many supersteps that it costs little. Measured on a host of 16 cores: a face of 1 MB
     * to another executor 0.6 ms to be put and 1.9 ms to be fetched, 1 GB/s up to 8 MB, packed and
     * unpacked; asking the driver for it takes about 1 ms.
     */
    public static final Exchange BY_LOG = new Exchange(4e-3, 1.5e-3, 0.25e9);

    /**
     * The same where the blocks are on GPUs: several tasks of an executor move faces at once.
     * Measured with two H200 on one host.
     */
    public static final Exchange OF_GPUS_BY_LOG = new Exchange(4e-3, 0.5e-3, 0.75e9);

    /**
     * Between executors that push faces to each other. Measured on two busy cores, with blocks on
     * the heap: 3.2 ms for a superstep with faces of 32 KB, 11 ms with faces of 2 MB.
     */
    public static final Exchange PUSHED = new Exchange(2e-3, 0.5e-3, 0.25e9, true);

    /**
     * The same where the blocks are on GPUs, whose faces go through pinned memory and over several
     * connections. Measured by a time line between two H200 of one host, over its loopback
     * interface: a face of 25 MB takes 1.0 ms to leave its GPU, 3.7 ms to travel beside another (9
     * ms one time in ten), and 0.7 ms to come to the other GPU; one of 0.6 MB takes 0.9 ms in all.
     */
    public static final Exchange OF_GPUS_PUSHED = new Exchange(2e-3, 0.2e-3, 4e9, true);

    /** The same with connections that are encrypted by AES, fitted to two H200 of one host. */
    public static final Exchange OF_GPUS_ENCRYPTED = new Exchange(2e-3, 0.2e-3, 2.2e9, true);

    /**
     * Between GPUs of several executors of one host, which read each other's memory. Measured on
     * two H200: 395 GB/s, and 3.3 us for 4 KB; waiting for a face is noticed after a millisecond.
     * The log of these faces is copied on the GPU, at the rate of its memory.
     */
    public static final Exchange SHARED = new Exchange(2e-3, 60e-6, 0.3e12, true);

    /** Between GPUs of one executor. Measured on two H200: 397 GB/s, and 10 us for a copy. */
    public static final Exchange BETWEEN_GPUS = new Exchange(0.3e-3, 30e-6, 0.35e12, true);

    /** Between blocks on the heap of one executor. Measured on 2 cores. */
    public static final Exchange ON_HEAP = new Exchange(0.1e-3, 10e-6, 1e9);

    /** Between blocks in the memory of one GPU. Estimated from its rates of copies and launches. */
    public static final Exchange ON_GPU = new Exchange(0.2e-3, 20e-6, 0.5e12);
  }

  // as kernels of several steps were measured on an H200: they wait for memory, or for operations
  private static final double GPU_MOVED_BYTES_PER_SECOND = 2.5e12;
  private static final double GPU_OPERATION_BYTES_PER_SECOND = 9e13;

  // a solid-state disk, of which several tasks have a part each; files kept in memory are faster
  private static final double SECONDS_PER_DISK_BYTE = 2e-9;

  /**
   * The blocks that a slot takes in turn.
   *
   * @param farShare the part of their faces that leaves the slot
   * @param near how their halos are filled from each other; null for a block that is alone
   * @param count how many they are: faces leave one by one, the first when its block has stepped
   * @param slots that wait for each other; 1 if it is not known how even they are
   */
  public record Turns(double farShare, Exchange near, double count, int slots)
      implements Serializable {
    static final Turns ONE = new Turns(1, null, 1, 1);

    /** Returns how many times as long the slowest slot takes as one alone: others wait for it. */
    public double slowest() {
      return 1 + UNEVEN * Math.pow(Math.log(slots) / Math.log(2), MORE);
    }
  }

  // the slower of two GPUs is slower than one alone by the first; for each doubling this grows as
  // the largest of some deviates does; fitted to what two and four H200 of a host do
  private static final double UNEVEN = 0.021;
  private static final double MORE = 0.75;

  /** What a superstep may last, so that progress is seen and cancelling is quick. */
  private static final double MOST_SECONDS = 2;

  /** It may last as many times as long as one of a single step, where that alone takes long. */
  private static final double MOST_TIMES = 8;

  private static final int MOST_STEPS = 1 << 14;

  /**
   * Of numbers of steps that are about as fast the smallest is best: halos take less memory,
   * progress is seen more often, and less is lost with an executor.
   */
  private static final double ABOUT = 1.02;

  private static final int MOST_BLOCKS = 1 << 13;

  /** What an array and its copies may have. */
  private static final double MOST_CELLS = 1L << 28;

  /** Creates a cost of fields that are as large as arrays may be. */
  public ExchangeCost(
      Exchange exchange, double cellStepSeconds, double cellSeconds, int stepsAtOnce) {
    this(
        exchange, Turns.ONE, cellStepSeconds, cellSeconds, stepsAtOnce, MOST_CELLS, Room.UNLIMITED);
  }

  /**
   * Returns the same where blocks wait on disk between supersteps.
   *
   * @param share the part of all cells that does
   * @param cellBytes what is read and written for a cell
   */
  public ExchangeCost onDisk(double share, int cellBytes) {
    double seconds = cellSeconds + share * cellBytes * SECONDS_PER_DISK_BYTE;
    return new ExchangeCost(
        exchange, turns, cellStepSeconds, seconds, stepsAtOnce, mostCells, room);
  }

  /**
   * Returns the same where a slot takes several blocks in turn.
   *
   * @param farShare the part of their faces that leaves the slot
   * @param near how the halos of these are filled from each other
   * @param count how many blocks they are
   */
  public ExchangeCost inTurns(double farShare, Exchange near, double count) {
    Turns all = new Turns(farShare, near, count, turns.slots());
    return new ExchangeCost(
        exchange, all, cellStepSeconds, cellSeconds, stepsAtOnce, mostCells, room);
  }

  /** Returns the same where so many GPUs wait for each other's faces. */
  public ExchangeCost among(int slots) {
    Turns all = new Turns(turns.farShare(), turns.near(), turns.count(), slots);
    return new ExchangeCost(
        exchange, all, cellStepSeconds, cellSeconds, stepsAtOnce, mostCells, room);
  }

  /** Returns the same where a block has only so much room. */
  public ExchangeCost withRoom(Room newRoom) {
    return new ExchangeCost(
        exchange, turns, cellStepSeconds, cellSeconds, stepsAtOnce, mostCells, newRoom);
  }

  /** Returns the same with fields of at most so many cells, or as many as are possible. */
  public ExchangeCost ofAtMost(double cells) {
    double most = Math.min(Math.max(1, cells), mostCells);
    return new ExchangeCost(exchange, turns, cellStepSeconds, cellSeconds, stepsAtOnce, most, room);
  }

  /**
   * Returns the cost of a program whose steps are taken by one core per task.
   *
   * @param exchange how halos are filled
   * @param cellSeconds what the engine estimates for some steps of one cell, taken in one run
   */
  public static ExchangeCost ofCores(Exchange exchange, IntToDoubleFunction cellSeconds) {
    double run = cellSeconds.applyAsDouble(0);
    return new ExchangeCost(exchange, cellSeconds.applyAsDouble(1) - run, run, 1);
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
   * @param hiddenSeconds how much of both is at the same time
   */
  public record Expected(double exchangeSeconds, double stepSeconds, double hiddenSeconds) {
    /** Returns all together. */
    public double seconds() {
      return exchangeSeconds + stepSeconds - hiddenSeconds;
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
      double depth = depth(blocks, reach, axis, steps);
      boolean cut = blocks.parts(axis) > 1;
      double most = reach.periodic().get(axis) ? Double.MAX_VALUE : blocks.sizes().get(axis);
      own *= size;
      extended *= Math.min(size + depth, most);
      faces *= cut ? Math.min(blocks.parts(axis), 1 + 2 * Math.ceil(depth / 2 / size)) : 1;
    }
    double bytes = (extended - own) * fields * type.bytes();
    double far = turns.farShare() * exchange.seconds(faces - 1, bytes);
    // a face that leaves while the slot goes on is packed, and another unpacked, in the slot
    double inside = exchange.overlaps() ? 1 : 1 - turns.farShare();
    double near = turns.near() == null ? 0 : inside * turns.near().seconds(faces - 1, bytes);
    double taken = Math.ceil((double) steps / stepsAtOnce) * stepsAtOnce;
    double waiting = Math.max(0, extended - room.cells()) * room.copySeconds();
    double work = turns.slowest() * extended * (taken * cellStepSeconds + cellSeconds) + waiting;
    double others = (near + work) * (1 - 1 / turns.count());
    double hidden = exchange.overlaps() && turns.near() != null ? Math.min(far, others) : 0;
    return new Expected((far + near) / steps, work / steps, hidden / steps);
  }

  /** Returns the cells of halos that a block has at most along an axis: of two, each has one. */
  private static double depth(GridBlocks blocks, StepReach reach, int axis, int steps) {
    int parts = blocks.parts(axis);
    if (parts == 1) {
      return 0;
    }
    int low = reach.low().get(axis);
    int high = reach.high().get(axis);
    boolean both = parts > 2 || reach.periodic().get(axis);
    return (double) steps * (both ? low + high : Math.max(low, high));
  }

  /** Returns the fewest steps per exchange with which steps are about as fast as they can be. */
  public int steps(GridBlocks blocks, StepReach reach, int fields, ElementType type) {
    List<Integer> tried = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    double most = MOST_SECONDS;
    for (int steps = 1; steps <= MOST_STEPS; steps = next(steps)) {
      double each = expected(blocks, reach, steps, fields, type).seconds();
      if (steps == 1) {
        most = Math.max(most, MOST_TIMES * each);
      } else if (!fits(blocks, reach, steps) || each * steps > most) {
        break;
      }
      tried.add(steps);
      seconds.add(each);
    }
    double enough = ABOUT * Collections.min(seconds);
    return IntStream.range(0, tried.size())
        .filter(i -> seconds.get(i) <= enough)
        .map(tried::get)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the next number of steps to try: from those that are taken at once on, multiples. */
  private int next(int steps) {
    int next = steps + Math.max(1, steps / 4);
    return steps < stepsAtOnce
        ? Math.min(next, stepsAtOnce)
        : Math.max(next, steps + stepsAtOnce) / stepsAtOnce * stepsAtOnce;
  }

  private boolean fits(GridBlocks blocks, StepReach reach, int steps) {
    double cells = 1;
    for (int axis = 0; axis < blocks.dimensions(); axis++) {
      cells *= blocks.blockSizes().get(axis) + depth(blocks, reach, axis, steps);
    }
    return cells <= 2 * mostCells;
  }

  /**
   * Returns the blocks with which steps are the fastest.
   *
   * @param slots the number of tasks that run at once
   * @throws InvalidStencilException if the grid has an axis that cannot be cut and is too long
   */
  public GridBlocks blocks(
      List<Long> sizes, StepReach reach, int slots, int fields, ElementType type) {
    double cells = 1;
    for (long size : sizes) {
      cells *= size;
    }
    int fewest = fewest(cells, mostCells);
    int every = fewest > slots ? slots : 1;
    int first = (fewest + every - 1) / every * every;
    int last = fewest > slots ? first + first / 4 : slots; // some numbers make longer blocks
    GridBlocks best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int count = first; count <= last; count += every) {
      GridBlocks blocks = cut(sizes, reach, count);
      int steps = steps(blocks, reach, fields, type);
      double rounds = Math.ceil((double) blocks.count() / slots);
      double seconds = rounds * expected(blocks, reach, steps, fields, type).seconds();
      if (seconds < least) {
        least = seconds;
        best = blocks;
      }
    }
    return best;
  }

  private static int fewest(double cells, double mostCells) {
    return (int) Math.min(MOST_BLOCKS, Math.ceil(cells / mostCells));
  }

  /** Returns how many blocks a grid has at least, as arrays have only so many cells. */
  public static int fewest(List<Long> sizes) {
    return fewest(
        sizes.stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b), MOST_CELLS);
  }

  /** Returns a grid in so many blocks, or fewer if it has axes that cannot be cut. */
  private static GridBlocks cut(List<Long> sizes, StepReach reach, int count) {
    GridBlocks blocks = GridBlocks.cut(sizes, count, reach);
    double largest = 1;
    for (int size : blocks.blockSizes()) {
      largest *= size;
    }
    if (largest > 2 * MOST_CELLS) {
      throw new InvalidStencilException(
          "blocks of %s cells of a grid of %s: axes along which some fields wrap and others do not cannot be cut; use one rule for all fields"
              .formatted(blocks.blockSizes(), sizes));
    }
    return blocks;
  }
}
