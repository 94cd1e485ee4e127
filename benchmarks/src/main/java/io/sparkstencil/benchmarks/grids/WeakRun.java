/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridBuilder;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A grid on one or several GPUs of this host, in this process or in executors of its own. */
final class WeakRun {
  private static final int CHECKED_STEPS = 64;

  /**
   * Device memory for blocks, in bytes of one array: both arrays, halos, and what is rounded up.
   */
  private static final double ROOM = 3.2;

  final Kind kind;
  final List<Double> nanos;
  final GridSummary summary;
  final int stepsPerExchange;
  final GridBlocks blocks;
  final Map<String, Long> faces;
  final boolean right;

  /** Which processes have which GPUs. */
  enum Kind {
    ONE("1 GPU", 1, 1, true),
    TOGETHER("2 GPUs, one executor", 2, 1, true),
    SHARED("2 executors, one GPU each, IPC", 2, 2, true),
    LOGGED("2 executors, one GPU each, IPC off", 2, 2, false);

    final String subject;
    final int gpus;
    final int executors;
    final boolean shares;

    Kind(String subject, int gpus, int executors, boolean shares) {
      this.subject = subject;
      this.gpus = gpus;
      this.executors = executors;
      this.shares = shares;
    }

    Exchange exchange() {
      return executors == 1
          ? WeakProjection.together(gpus)
          : shares ? Exchange.SHARED : Exchange.OF_GPUS_BY_LOG;
    }

    /** Returns the way by which faces must come from the other GPU; empty if there is none. */
    String way() {
      return gpus == 1 ? "" : executors == 1 ? "peer" : shares ? "shared" : "log";
    }
  }

  /**
   * What is the same for all kinds.
   *
   * @param perGpu the cells along each axis that a GPU has
   * @param blocks those of a GPU; empty to leave them to the grid
   * @param perExchange the steps between two exchanges; empty to leave them to the grid
   * @param seconds what a measurement lasts, about
   * @param megabytes the memory of an executor
   */
  record Work(
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
  WeakRun(Kind kind, Work work) {
    this.kind = kind;
    SparkSession spark = session(kind, work);
    try {
      if (kind.executors > 1) {
        giveGpus(spark, kind.executors);
      }
      long[] extent =
          WeakProjection.sizes(work.perGpu(), kind.gpus).stream()
              .mapToLong(Long::longValue)
              .toArray();
      GridBuilder builder =
          StencilGrids.builder(spark, work.program())
              .extent(extent)
              .type(work.type())
              .field("u", WeakRun::cell)
              .engine(Engines.GPU)
              .stepsPerExchange(work.perExchange());
      work.blocks().ifPresent(count -> builder.blocks(count * kind.gpus));
      try (StencilGrid first = builder.create()) {
        stepsPerExchange = first.stepsPerExchange();
        blocks = blocks(first, extent);
        GridPace pace = new GridPace(first);
        pace.seconds(CHECKED_STEPS);
        summary = pace.latest().summarize("u");
        int steps = pace.stepsOf(work.seconds());
        nanos =
            IntStream.range(0, work.repeats())
                .mapToObj(i -> 1e9 * pace.seconds(steps) / steps / work.cells() / kind.gpus)
                .toList();
        GridMetrics metrics = pace.latest().metrics();
        faces = metrics.faces();
        right =
            metrics.engines().equals(Set.of(Engines.GPU))
                && metrics.replayedSupersteps() == 0
                && (kind.gpus == 1 || faces.getOrDefault(kind.way(), 0L) > 0);
      }
    } finally {
      spark.stop();
    }
    System.out.printf("%s: %.4g ns, faces %s%n", kind.subject, Quantiles.median(nanos), faces);
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

  private static SparkSession session(Kind kind, Work work) {
    int cores = Runtime.getRuntime().availableProcessors();
    String master =
        kind.executors == 1
            ? "local[*]"
            : "local-cluster[%d,%d,%d]"
                .formatted(kind.executors, Math.max(1, cores / kind.executors), work.megabytes());
    SparkSession.Builder session =
        LocalSpark.session("weak", master)
            .config(GpuOptions.GRID_BYTES.key(), (long) (ROOM * work.cells() * work.type().bytes()))
            .config(GpuOptions.GRID_IPC.key(), kind.shares);
    if (kind.gpus == 1) {
      session.config(GpuOptions.DEVICE.key(), "0");
    }
    return session.getOrCreate();
  }

  /** Gives each executor a GPU of its own, before it uses any; returns when all have one. */
  private static void giveGpus(SparkSession spark, int executors) {
    List<Integer> tasks = IntStream.range(0, 8 * executors).boxed().toList();
    String option = GpuOptions.DEVICE.key();
    Set<String> given = new TreeSet<>();
    while (given.size() < executors) {
      given.addAll(
          new JavaSparkContext(spark.sparkContext())
              .parallelize(tasks, tasks.size())
              .map(
                  any -> {
                    Thread.sleep(20); // so that no executor does it all
                    SparkEnv here = SparkEnv.get();
                    String gpu = Integer.toString(Integer.parseInt(here.executorId()) % executors);
                    here.conf().set(option, gpu);
                    return here.executorId();
                  })
              .collect());
    }
  }
}
