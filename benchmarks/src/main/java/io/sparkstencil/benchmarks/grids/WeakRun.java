/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.EachExecutor;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridBuilder;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;

/** A grid on one or several GPUs of this host, in this process or in executors of its own. */
final class WeakRun {
  private static final int CHECKED_STEPS = 64;
  private static final int CHECKPOINT_STEPS = 1000;

  /**
   * The time of steps before the first measurement, in those of one: each process has to compile
   * its code, and each of four executors has a quarter of the calls.
   */
  private static final int WARM_UP = 5;

  /**
   * Device memory for blocks, in bytes of one array: both arrays, halos, and what is rounded up.
   */
  private static final double ROOM = 3.2;

  private final WeakProblem work;
  final WeakKind kind;
  final List<Double> nanos;
  final GridSummary summary;
  final int stepsPerExchange;
  final GridBlocks blocks;
  final Map<String, Long> faces;
  final String log;
  final String load;
  final boolean right;

  /**
   * What is the same for all kinds.
   *
   * @param perGpu the cells along each axis that a GPU has
   * @param blocks those of a GPU; empty to leave them to the grid
   * @param perExchange the steps between two exchanges; empty to leave them to the grid
   * @param seconds what a measurement lasts, about
   * @param megabytes the memory of an executor
   */
  record WeakProblem(
      StencilProgram program,
      ElementType type,
      List<Long> perGpu,
      OptionalInt blocks,
      OptionalInt perExchange,
      double seconds,
      int repeats,
      int megabytes) {
    double cells() {
      return perGpu.stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    }
  }

  /** Makes and measures a grid. */
  WeakRun(WeakKind kind, WeakProblem work) {
    this.kind = kind;
    this.work = work;
    SparkSession spark = session(kind, work);
    try {
      if (kind.executors() > 1) {
        giveGpus(spark, kind.executors());
      }
      long[] extent =
          WeakProjection.sizes(work.perGpu(), kind.gpus()).stream()
              .mapToLong(Long::longValue)
              .toArray();
      try (StencilGrid first = builder(spark, extent).create()) {
        stepsPerExchange = first.stepsPerExchange();
        blocks = blocks(first, extent);
        GridPace pace = new GridPace(first);
        pace.seconds(CHECKED_STEPS);
        summary = pace.latest().summarize("u");
        pace.warmUp(WARM_UP * work.seconds());
        int steps = pace.stepsOf(work.seconds());
        GridMetrics before = pace.latest().metrics();
        ExecutorsCpu cpu = new ExecutorsCpu(spark, kind.executors());
        nanos =
            IntStream.range(0, work.repeats())
                .mapToObj(i -> 1e9 * pace.seconds(steps) / steps / work.cells() / kind.gpus())
                .toList();
        load = load(cpu, steps);
        GridMetrics metrics = pace.latest().metrics();
        faces = metrics.faces();
        log = log(before, metrics);
        right =
            metrics.engines().equals(Set.of(Engines.GPU))
                && metrics.replayedSupersteps() == 0
                && (kind.gpus() == 1 || faces.getOrDefault(kind.path(), 0L) > 0)
                && (kind.log() != WeakKind.Log.CHECKPOINTS || metrics.deviceLogBytes() > 0)
                && (kind.log() != WeakKind.Log.GIVEN_UP || metrics.deviceLogBytes() == 0);
      }
    } finally {
      spark.stop();
    }
    System.out.printf("%s: %.4g ns, faces %s%n", kind.subject(), Quantiles.median(nanos), faces);
  }

  private GridBuilder builder(SparkSession spark, long[] extent) {
    GridBuilder builder =
        StencilGrids.builder(spark, work.program())
            .extent(extent)
            .type(work.type())
            .field("u", WeakRun::cell)
            .engine(Engines.GPU)
            .stepsPerExchange(work.perExchange());
    work.blocks().ifPresent(count -> builder.blocks(count * kind.gpus()));
    if (kind.log() == WeakKind.Log.CHECKPOINTS) {
      builder.checkpoints(folder(), exchanges(builder));
    }
    return builder;
  }

  /** Says what the network and the cores of the host had to do while steps were measured. */
  private String load(ExecutorsCpu cpu, int steps) {
    double measured = nanos.stream().mapToDouble(Double::doubleValue).sum();
    double seconds = 1e-9 * measured * steps * work.cells() * kind.gpus();
    double supersteps = (double) work.repeats() * steps / stepsPerExchange;
    double bytes = supersteps * givenBytes() / kind.executors();
    return "%.0f s of steps before; %.2f GB/s from each executor to others, %.1f cores of all executors"
        .formatted(WARM_UP * work.seconds(), 1e-9 * bytes / seconds, cpu.seconds() / seconds);
  }

  /** Returns the bytes that leave executors in a superstep. */
  private long givenBytes() {
    StepReach reach = StepReach.of(work.program());
    FacePlan plan =
        FacePlan.of(blocks, reach, stepsPerExchange, work.program().updates().size(), work.type());
    int[] groups = new BlockHalves(blocks, kind.executors()).groups();
    long bytes = 0;
    for (int target = 0; target < groups.length; target++) {
      ExtendedBlock extended = plan.extended(target);
      for (int source : extended.sources()) {
        if (groups[source] != groups[target]) {
          bytes += plan.faceBytes(extended, source, plan.fields());
        }
      }
    }
    return bytes;
  }

  /** Says what the log of faces took while steps were measured. */
  private static String log(GridMetrics before, GridMetrics after) {
    return "log %d bytes in block managers while measured, %d on GPUs before and %d after, %.3f s waited, %d checkpoints, %d jobs; %s"
        .formatted(
            after.logBytes() - before.logBytes(),
            before.deviceLogBytes(),
            after.deviceLogBytes(),
            after.logSeconds() - before.logSeconds(),
            after.checkpoints() - before.checkpoints(),
            after.jobs() - before.jobs(),
            after.times().since(before.times()).text());
  }

  private static String folder() {
    try {
      return Files.createTempDirectory("weak-checkpoints").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many exchanges there are from one checkpoint to the next. */
  private static int exchanges(GridBuilder builder) {
    try (StencilGrid planned = builder.create()) { // it has no cells before it takes steps
      return Math.max(1, Math.round((float) CHECKPOINT_STEPS / planned.stepsPerExchange()));
    }
  }

  private static GridBlocks blocks(StencilGrid grid, long[] extent) {
    List<Integer> parts = grid.blocksPerAxis();
    List<Integer> sizes =
        IntStream.range(0, extent.length)
            .mapToObj(axis -> (int) ((extent[axis] + parts.get(axis) - 1) / parts.get(axis)))
            .toList();
    return new GridBlocks(Arrays.stream(extent).boxed().toList(), sizes);
  }

  /** Cheap, as there are billions of them, and without a pattern along any axis. */
  private static double cell(long[] position) {
    long hash = 7;
    for (long at : position) {
      hash = hash * 31 + at * at;
    }
    return (hash & 1023) * 0x1p-10;
  }

  private static SparkSession session(WeakKind kind, WeakProblem work) {
    int cores = Runtime.getRuntime().availableProcessors();
    String master =
        kind.executors() == 1
            ? "local[*]"
            : "local-cluster[%d,%d,%d]"
                .formatted(
                    kind.executors(), Math.max(1, cores / kind.executors()), work.megabytes());
    SparkSession.Builder session =
        LocalSpark.session("weak", master)
            .config(
                GpuOptions.GRID_BYTES.key(), (long) (ROOM * work.cells() * work.type().bytes()));
    kind.settings().forEach(session::config);
    return session.getOrCreate();
  }

  /** Gives each executor a GPU of its own, before it uses any; returns when all have one. */
  private static void giveGpus(SparkSession spark, int executors) {
    String option = GpuOptions.DEVICE.key();
    EachExecutor.ask(
        spark.sparkContext(),
        executors,
        () -> {
          SparkEnv here = SparkEnv.get();
          String gpu = Integer.toString(Integer.parseInt(here.executorId()) % executors);
          here.conf().set(option, gpu);
          return gpu;
        });
  }
}
