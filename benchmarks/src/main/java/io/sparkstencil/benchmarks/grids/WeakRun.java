/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.EachExecutor;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.spark.grid.GridBuilder;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;

/** A grid on one or several GPUs of this host, in this process or in executors of its own. */
final class WeakRun {
  private static final int CHECKED_STEPS = 64;

  /**
   * Device memory for blocks, in bytes of one array: both arrays, halos, and what is rounded up.
   */
  private static final double ROOM = 3.2;

  private final WeakProblem work;
  private final WeakProblem.WeakSettings settings;
  private final Path folder;
  final WeakKind kind;
  final List<Double> nanos;
  final GridSummary summary;
  final int stepsPerExchange;
  final GridBlocks blocks;
  final Map<String, Long> faces;
  final String log;
  final String load;
  final boolean right;

  /** Makes and measures a grid. */
  WeakRun(WeakKind kind, WeakProblem work) {
    this.kind = kind;
    this.work = work;
    settings = work.settings();
    folder = folder();
    SparkSession spark = session(kind, work);
    try {
      if (kind.executors() > 1) {
        giveGpus(spark, kind.executors());
      }
      long[] extent = work.extent(kind.gpus());
      try (StencilGrid first = builder(spark, extent).create()) {
        stepsPerExchange = first.stepsPerExchange();
        blocks = blocks(first, extent);
        GridPace pace = new GridPace(first);
        pace.seconds(CHECKED_STEPS);
        summary = pace.latest().summarize("u");
        pace.warmUp(settings.warmUp());
        int steps = pace.stepsOf(settings.seconds());
        GridMetrics before = pace.latest().metrics();
        ExecutorsCpu cpu = new ExecutorsCpu(spark, kind.executors());
        nanos =
            IntStream.range(0, settings.repeats())
                .mapToObj(i -> 1e9 * pace.seconds(steps) / steps / work.cells() / kind.gpus())
                .toList();
        load = load(cpu, steps);
        GridMetrics metrics = pace.latest().metrics();
        faces = metrics.faces();
        log = log(before, metrics);
        right =
            metrics.engines().equals(Set.of(settings.engine()))
                && metrics.replayedSupersteps() == 0
                && (kind.log() != WeakKind.Log.CHECKPOINTS
                    || metrics.checkpoints() > before.checkpoints())
                && (!work.isOnGpus() || wentAsItShould(metrics));
      }
    } finally {
      spark.stop();
      remove(folder);
    }
    System.out.printf("%s: %.4g ns, faces %s%n", kind.subject(), Quantiles.median(nanos), faces);
  }

  private boolean wentAsItShould(GridMetrics metrics) {
    return (kind.gpus() == 1 || faces.getOrDefault(kind.path(), 0L) > 0)
        && (kind.log() != WeakKind.Log.GIVEN_UP || metrics.deviceLogBytes() == 0);
  }

  private GridBuilder builder(SparkSession spark, long[] extent) {
    GridBuilder builder =
        StencilGrids.builder(spark, work.program())
            .extent(extent)
            .type(work.type())
            .field("u", WeakRun::cell)
            .engine(settings.engine())
            .stepsPerExchange(settings.perExchange());
    settings.blocks().ifPresent(count -> builder.blocks(count * kind.gpus()));
    if (kind.log() == WeakKind.Log.CHECKPOINTS) {
      builder.checkpoints(folder.toString(), exchanges(builder));
    }
    return builder;
  }

  /** Returns what was measured, for a projection. */
  WeakProjection.Measured measured() {
    return new WeakProjection.Measured(blocks, kind.gpus(), kind.exchange(), stepsPerExchange);
  }

  /** Says what the network and the cores of the host had to do while steps were measured. */
  private String load(ExecutorsCpu cpu, int steps) {
    double measured = nanos.stream().mapToDouble(Double::doubleValue).sum();
    double seconds = 1e-9 * measured * steps * work.cells() * kind.gpus();
    double supersteps = (double) settings.repeats() * steps / stepsPerExchange;
    double bytes = supersteps * givenBytes() / kind.executors();
    return "%.0f s of steps before; %.2f GB/s from each executor to others, %.1f cores of all executors"
            .formatted(settings.warmUp(), 1e-9 * bytes / seconds, cpu.seconds() / seconds)
        + checkpoints(seconds);
  }

  /** Returns the bytes that leave executors in a superstep. */
  private long givenBytes() {
    StepReach reach = StepReach.of(work.program());
    FacePlan plan =
        FacePlan.of(blocks, reach, stepsPerExchange, work.program().updates().size(), work.type());
    int[] groups = new BlockHalves(blocks, kind.executors()).groups();
    long bytes = 0;
    for (int taker = 0; taker < groups.length; taker++) {
      ExtendedBlock extended = plan.extended(taker);
      for (int giver : extended.givers()) {
        if (groups[giver] != groups[taker]) {
          bytes += plan.faceBytes(extended, giver, plan.fields());
        }
      }
    }
    return bytes;
  }

  /** Says how much of the time a checkpoint should take, if there are some. */
  private String checkpoints(double seconds) {
    return kind.log() != WeakKind.Log.CHECKPOINTS
        ? ""
        : "; checkpoints of %.2f GB, %d steps from one to the next, for %.2f s of steps"
            .formatted(1e-9 * work.bytes() * kind.gpus(), settings.checkpointSteps(), seconds);
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

  /** Returns a new folder for checkpoints. */
  private Path folder() {
    try {
      return settings.folder().isEmpty()
          ? Files.createTempDirectory("weak-checkpoints")
          : Files.createTempDirectory(Path.of(settings.folder()), "weak-checkpoints");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try {
      FileUtils.deleteDirectory(folder.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many exchanges there are from one checkpoint to the next. */
  private int exchanges(GridBuilder builder) {
    try (StencilGrid planned = builder.create()) { // it has no cells before it takes steps
      float exchanges = (float) settings.checkpointSteps() / planned.stepsPerExchange();
      return Math.max(1, Math.round(exchanges));
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
                    kind.executors(),
                    Math.max(1, cores / kind.executors()),
                    work.settings().megabytes());
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
