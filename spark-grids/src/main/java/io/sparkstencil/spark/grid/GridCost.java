/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExchangeCost;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.ExchangeCost.Room;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;

/** Chooses the blocks of a grid, and the steps between exchanges, by what the cluster has. */
final class GridCost {
  private static final String GPUS = "spark.executor.resource.gpu.amount";
  private static final int MEGABYTE_BITS = 20;

  /** The tasks of an executor that copy cells to a GPU and back at the same time, about. */
  private static final int COPYING = 4;

  /** The part of a GPU's room that cells have; the rest is lost to the alignment of rows. */
  private static final double USED = 0.95;

  private final StencilProgram program;
  private final List<Long> sizes;
  private final ElementType type;
  private final StepReach reach;
  private final Optional<ProgramEngineProvider> gpu;
  private final boolean local; // all tasks are in this process
  private final Exchange exchange;
  private final int slots;
  private final double tasks;
  private final double heapBytes; // of one executor, as the next
  private final double gridBytes;
  private final double deviceBytes; // of the fields that the GPUs of an executor have room for
  private final Room deviceRoom; // of one GPU, in cells with all that they need there
  private ExchangeCost cost; // null until it is asked: kernels are made for it

  /**
   * Looks at a cluster.
   *
   * @param conf names the engine
   */
  GridCost(
      StencilProgram program,
      List<Long> sizes,
      ElementType type,
      SparkContext spark,
      StencilConf conf) {
    this.program = program;
    this.sizes = sizes;
    this.type = type;
    reach = StepReach.of(program);
    int executors = BlockBytes.executors(spark).size();
    gpu = gpu(spark, conf.get(StencilOptions.ENGINE));
    local = spark.isLocal();
    int gpus = gpu.map(provider -> gpus(spark, provider, conf)).orElse(0);
    slots = gpus > 0 ? executors * gpus : Math.max(1, spark.defaultParallelism());
    exchange =
        exchange(
            BlockBytes.executors(spark),
            gpus,
            conf.get(GpuOptions.GRID_IPC),
            conf.get(StencilOptions.GRID_PUSH),
            encrypts(spark));
    tasks = Math.max(1, (double) slots / executors);
    long heap =
        spark.isLocal()
            ? Runtime.getRuntime().maxMemory()
            : (long) spark.executorMemory() << MEGABYTE_BITS;
    heapBytes = HeapShare.bytes(conf, heap);
    gridBytes = bytes(sizes) / executors;
    deviceRoom = gpu.map(provider -> room(provider, conf)).orElse(Room.UNLIMITED);
    deviceBytes = gpus == 0 ? 0 : gpus * deviceRoom.cells() * bytes(List.of(1));
  }

  /** Returns the bytes of each executor that have room neither on GPUs nor on the heap. */
  double bytesOnDisk() {
    return Math.max(0, gridBytes - heapBytes - deviceBytes);
  }

  /** Returns the bytes of all fields in a box. */
  private double bytes(List<? extends Number> size) {
    double cells = size.stream().mapToDouble(Number::doubleValue).reduce(1, (x, y) -> x * y);
    return cells * program.fields().size() * type.bytes();
  }

  /** Returns the engine for GPUs, if steps are probably taken by it. */
  private static Optional<ProgramEngineProvider> gpu(SparkContext spark, String engine) {
    boolean asked = engine.equals(Engines.GPU);
    if (!asked && !engine.equals(Engines.AUTO)) {
      return Optional.empty();
    }
    boolean given = spark.conf().getInt(GPUS, 0) > 0;
    return provider(Engines.GPU)
        .filter(each -> asked || given || (spark.isLocal() && each.unavailableReason().isEmpty()));
  }

  /** Returns how many GPUs an executor has, as far as the driver knows. */
  private static int gpus(SparkContext spark, ProgramEngineProvider provider, StencilConf conf) {
    int given = spark.conf().getInt(GPUS, 0);
    return given > 0 ? given : spark.isLocal() ? provider.devices(conf.values()) : 1;
  }

  /**
   * Returns how halos are filled.
   *
   * @param executors as preferred locations
   * @param gpus those of each executor; 0 where steps are taken by cores
   * @param shares whether executors may read each other's memory
   * @param pushes whether executors push faces to each other
   * @param encrypts whether what they push is encrypted
   */
  static Exchange exchange(
      List<String> executors, int gpus, boolean shares, boolean pushes, boolean encrypts) {
    if (executors.size() == 1) {
      return gpus == 0 ? Exchange.ON_HEAP : gpus == 1 ? Exchange.ON_GPU : Exchange.BETWEEN_GPUS;
    }
    boolean beside = executors.stream().map(BlockBytes::hostOf).distinct().count() == 1;
    if (gpus == 0) {
      return pushes ? Exchange.PUSHED : Exchange.BY_LOG;
    }
    if (beside && shares) {
      return Exchange.SHARED;
    }
    Exchange pushed = encrypts ? Exchange.OF_GPUS_ENCRYPTED : Exchange.OF_GPUS_PUSHED;
    return pushes ? pushed : Exchange.OF_GPUS_BY_LOG;
  }

  private static boolean encrypts(SparkContext spark) {
    return spark.conf().getBoolean("spark.network.crypto.enabled", false)
        || spark.conf().getBoolean("spark.ssl.rpc.enabled", false);
  }

  private static Optional<ProgramEngineProvider> provider(String name) {
    return ProgramEngines.discover().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private Room room(ProgramEngineProvider provider, StencilConf conf) {
    double cellBytes = (program.fields().size() + program.updates().size()) * type.bytes();
    return new Room(
        USED * provider.roomForBlocks(conf.values()) / cellBytes,
        provider.estimate(work(COPYING)).copySeconds());
  }

  private synchronized ExchangeCost cost() {
    if (cost == null) {
      cost = gpu.map(this::ofGpus).orElseGet(this::ofCores);
    }
    return cost;
  }

  private ExchangeCost ofGpus(ProgramEngineProvider provider) {
    int atOnce = provider.stepsAtOnce(program, type, extent());
    return ExchangeCost.ofGpus(program, type, exchange, atOnce).among(slots);
  }

  /** Returns the work of one step of one cell. */
  private ProgramWork work(int threads) {
    return ProgramWork.of(ProgramTraits.of(program)).of(type, Extent.of(1), 1, threads);
  }

  private ExchangeCost ofCores() {
    ProgramEngineProvider cpu = provider(Engines.CPU).orElseThrow();
    ProgramWork work = work(1);
    return ExchangeCost.ofCores(
        exchange, steps -> cpu.estimate(work.of(type, Extent.of(1), steps, 1)).stepSeconds());
  }

  /** Returns the cells of the grid along each axis, or as many as an array can have. */
  private Extent extent() {
    long longest = 1L << (30 / sizes.size());
    return new Extent(sizes.stream().map(size -> (int) Math.min(size, longest)).toList());
  }

  /**
   * Returns the blocks with which steps are the fastest. A grid that does not fit has such small
   * ones that those which tasks bring in, and the engine's copies, leave most of the heap to
   * others.
   */
  GridBlocks blocks() {
    boolean fits = 2 * gridBytes <= heapBytes;
    return cost(
            ExchangeCost.fewest(sizes), fits ? gridBytes / tasks : heapBytes / (4 * (1 + tasks)))
        .blocks(sizes, reach, slots, program.fields().size(), type);
  }

  /** Returns the cost with some blocks. */
  private ExchangeCost cost(GridBlocks blocks) {
    ExchangeCost each = cost(blocks.count(), bytes(blocks.blockSizes()));
    return gpu.isPresent() && blocks.count() > slots
        ? each.inTurns(
            new BlockHalves(blocks, slots).farShare(reach),
            Exchange.ON_GPU,
            Math.ceil((double) blocks.count() / slots))
        : each;
  }

  /** Returns the cost with some blocks of a size, and of the part of them that waits on disk. */
  private ExchangeCost cost(double count, double blockBytes) {
    if (gpu.isPresent()) {
      double turns = Math.ceil(count / slots);
      Room each = new Room(deviceRoom.cells() / turns, deviceRoom.copySeconds());
      return (turns > 1 ? cost().inTurns(1 / turns, Exchange.ON_GPU, turns) : cost())
          .withRoom(each);
    }
    double stays = Math.max(0, heapBytes - tasks * blockBytes);
    double share = Math.max(0, 1 - stays / gridBytes);
    int moved = (program.fields().size() + program.updates().size()) * type.bytes();
    ExchangeCost onDisk = cost().onDisk(share, moved);
    return share > 0 ? onDisk.ofAtMost(blockBytes / bytes(List.of(1))) : onDisk;
  }

  /**
   * Returns the steps per exchange that are the fastest with some blocks whose faces can travel.
   */
  int steps(GridBlocks blocks) {
    int steps = cost(blocks).steps(blocks, reach, program.updates().size(), type);
    while (steps > 1 && !facesTravel(plan(blocks, steps))) {
      steps -= (steps + 3) / 4;
    }
    return steps;
  }

  /** Returns what blocks give to each other. */
  FacePlan plan(GridBlocks blocks, int steps) {
    return FacePlan.of(blocks, reach, steps, program.fields().size(), type);
  }

  /** Returns whether faces can go as they have to. */
  private boolean facesTravel(FacePlan plan) {
    return plan.travels(program.updates().size())
        || (local && stay(blockBytes(plan), deviceBytes, heapBytes, SessionOptions.tasksAtOnce()));
  }

  /** Returns the bytes of each block with its halo. */
  private static double[] blockBytes(FacePlan plan) {
    double cellBytes = (double) plan.fields() * plan.type().bytes();
    return IntStream.range(0, plan.blocks().count())
        .mapToDouble(block -> cellBytes * plan.extended(block).extended().cells())
        .toArray();
  }

  /**
   * Returns whether blocks of one process have room in its memory, of its heap and of its GPUs:
   * their faces are read where they are then, whatever their size. Those of blocks in files are in
   * one array.
   *
   * @param blocks the bytes of each
   * @param tasks that run at once, for a block of each of which the heap has room, too
   */
  static boolean stay(double[] blocks, double deviceBytes, double heapBytes, int tasks) {
    double onHeap = DoubleStream.of(blocks).sum() - deviceBytes;
    double largest = DoubleStream.of(blocks).max().orElse(0);
    return onHeap <= 0 || onHeap + tasks * largest <= heapBytes;
  }

  /** Refuses faces that cannot go as they have to. */
  void requireFaces(FacePlan plan) {
    if (!facesTravel(plan)) {
      plan.requireTravelling(program.updates().size());
    }
  }

  /**
   * Returns a table of what steps are expected to take with some blocks.
   *
   * @param took the milliseconds that steps have taken with those that were chosen; NaN before
   */
  String table(GridBlocks blocks, int chosen, double took) {
    double millis = 1e3 * Math.ceil((double) blocks.count() / slots);
    StringBuilder text = new StringBuilder("expected milliseconds per step of the grid:");
    text.append("\n  steps per exchange   exchange      steps   together  came true");
    for (int steps : new TreeSet<>(List.of(1, Math.max(1, chosen / 2), chosen, 2 * chosen))) {
      ExchangeCost.Expected each =
          cost(blocks).expected(blocks, reach, steps, program.updates().size(), type);
      text.append(
          "\n  %18d %10.4g %10.4g %10.4g%s"
              .formatted(
                  steps,
                  millis * each.exchangeSeconds(),
                  millis * each.stepSeconds(),
                  millis * each.seconds(),
                  steps == chosen
                      ? (Double.isNaN(took) ? "             *" : " %10.4g  *".formatted(took))
                      : ""));
    }
    return text.toString();
  }
}
