/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.EachExecutor;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.GridListener;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridProgress;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * What it costs a grid on executors of one core each that one of them is killed, by signal 9, when
 * half of the steps are done.
 */
final class RecoveryRows {
  private static final String MEGABYTES = "1024";
  private static final int BLOCKS_OF_EXECUTOR = 2;

  /** Supersteps of a job are told of one after the other. */
  private static final long SAME_NANOS = 5_000_000;

  private final int executors;
  private final GridCase what;
  private final int steps;
  private final OptionalInt perExchange;
  private final int repeats;
  private final Map<String, String> conf;
  private final Consumer<BenchmarkRow> rows;
  private final RecoveryLine line = new RecoveryLine();

  /**
   * Prepares the row.
   *
   * @param cells about as many
   * @param perExchange the steps between two exchanges; empty to leave them to the grid
   * @param conf settings of Spark that differ from those of the other rows
   */
  RecoveryRows(
      int executors,
      long cells,
      int steps,
      OptionalInt perExchange,
      int repeats,
      Map<String, String> conf,
      Consumer<BenchmarkRow> rows) {
    this.executors = executors;
    this.what = GridCase.of(2, ElementType.F64, cells);
    this.steps = steps;
    this.perExchange = perExchange;
    this.repeats = repeats;
    this.conf = conf;
    this.rows = rows;
  }

  String name() {
    return what.name() + "/recovery";
  }

  /** Measures the row if this process may start executors. */
  void measure() throws IOException, InterruptedException {
    if (!LocalSpark.startsExecutors()) {
      System.out.println("no row of recovery: set SPARK_HOME to a folder, and SPARK_SCALA_VERSION");
      return;
    }
    String master = "local-cluster[%d,1,%s]".formatted(executors, MEGABYTES);
    SparkSession.Builder builder = LocalSpark.session("recovery", master);
    conf.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    spark.sparkContext().addSparkListener(line);
    try {
      new RecoveryRun(spark, false, steps / 4 + 1); // warms up
      List<RecoveryRun> calm = new ArrayList<>();
      List<RecoveryRun> disturbed = new ArrayList<>();
      for (int i = 0; i < repeats; i++) {
        calm.add(new RecoveryRun(spark, false, steps));
        disturbed.add(new RecoveryRun(spark, true, steps));
      }
      add(calm, disturbed);
    } finally {
      spark.stop();
    }
  }

  private void add(List<RecoveryRun> calm, List<RecoveryRun> disturbed) {
    List<Double> seconds = disturbed.stream().map(run -> run.seconds).toList();
    double undisturbed = Quantiles.median(calm.stream().map(run -> run.seconds).toList());
    double replay =
        Quantiles.median(disturbed.stream().map(run -> run.metrics.times().again()).toList());
    double pause = Quantiles.median(disturbed.stream().map(run -> run.longestPause).toList());
    boolean right =
        disturbed.stream()
            .allMatch(
                run ->
                    run.replayedOnlyTheLost()
                        && CellChange.largest(run.cells, calm.get(0).cells) == 0);
    RecoveryRun last = disturbed.get(repeats - 1);
    GridMetrics done = last.metrics;
    rows.accept(
        BenchmarkRow.of(
            name(),
            "1 of %d executors killed".formatted(executors),
            "undisturbed and the replay",
            seconds,
            "s",
            (undisturbed + replay) / Quantiles.median(seconds),
            right,
            "%s cells, %d steps, %d per exchange, %d blocks; undisturbed %.2f s; blocks %s were lost, %s replayed %d supersteps, steps of which took %.2f s on the executor that took the most, %.1f ms each, beside %d that all blocks have taken (%.1f %%); %.2f s (%.0f %%) are over both, %s; a superstep took %.0f ms before the loss and %.0f ms after the first job that all blocks went on with; %s; longest pause between supersteps %.2f s; all processes took %.1f s of cores, undisturbed %.1f; faces by each way %s"
                .formatted(
                    what.sizes(),
                    steps,
                    last.stepsPerExchange,
                    blocks(),
                    undisturbed,
                    last.lost,
                    done.replayedBlocks(),
                    done.replayedSupersteps(),
                    replay,
                    1e3 * replay / done.replayedSupersteps(),
                    done.supersteps(),
                    1e2 * done.replayedSupersteps() / done.supersteps(),
                    Quantiles.median(seconds) - undisturbed - replay,
                    1e2 * (Quantiles.median(seconds) / (undisturbed + replay) - 1),
                    overOwn(calm, done, Quantiles.median(seconds) - undisturbed, undisturbed),
                    1e3 * last.superstepSeconds(0, last.killed),
                    1e3 * last.superstepSeconds(last.resumed(), last.moments.size() - 1),
                    last.timeLine,
                    pause,
                    Quantiles.median(disturbed.stream().map(run -> run.coreSeconds).toList()),
                    Quantiles.median(calm.stream().map(run -> run.coreSeconds).toList()),
                    done.faces())));
  }

  /** Says what is over if one executor had taken the steps again, as fast as undisturbed. */
  private static String overOwn(
      List<RecoveryRun> calm, GridMetrics done, double more, double undisturbed) {
    double own =
        done.replayedSupersteps()
            * Quantiles.median(
                calm.stream()
                    .map(run -> run.metrics.times().steps() / run.metrics.supersteps())
                    .toList());
    return "%.2f s (%.0f %%) if those steps are counted as one after the other, %.2f s as undisturbed"
        .formatted(more - own, 1e2 * (more - own) / (undisturbed + own), own);
  }

  private int blocks() {
    return BLOCKS_OF_EXECUTOR * executors;
  }

  /** Returns the seconds of cores that this process and those that it has started have taken. */
  private static double coreSeconds() {
    return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
        .mapToDouble(RecoveryRows::coreSeconds)
        .sum();
  }

  private static double coreSeconds(ProcessHandle process) {
    return 1e-3 * process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
  }

  /** When a superstep was done. */
  private record Moment(long done, long nanos) {}

  /** One grid, from its first cells to its last step. */
  private final class RecoveryRun implements GridListener {
    private final boolean kills;
    private final List<String> places;
    private final List<Integer> lost;
    private final double seconds;
    private final double coreSeconds;
    private final GridMetrics metrics;
    private final List<String> placesAfter;
    private final Object cells;
    private final int stepsPerExchange;
    private final String timeLine;
    private long victim;
    private volatile double victimSeconds;
    private long lastNanos;
    private double longestPause;
    private final List<Moment> moments = new ArrayList<>();
    private int killed; // the index of the moment

    RecoveryRun(SparkSession spark, boolean kills, int steps) {
      this.kills = kills;
      Map<String, Long> processes =
          EachExecutor.ask(
              spark.sparkContext(),
              executors,
              BlockBytes::here,
              () -> ProcessHandle.current().pid());
      try (StencilGrid grid =
          StencilGrids.builder(spark, what.program())
              .extent(what.extent())
              .type(what.type())
              .field("u", GridCase::first)
              .engine("cpu")
              .blocks(blocks())
              .stepsPerExchange(perExchange)
              .listener(this)
              .create()) {
        stepsPerExchange = grid.stepsPerExchange();
        StencilGrid first = grid.step(0);
        first.max("u"); // so that blocks are there
        places = first.executors();
        lost =
            IntStream.range(0, places.size())
                .filter(block -> places.get(block).equals(places.get(0)))
                .boxed()
                .toList();
        victim = processes.get(places.get(0));
        StencilGrid[] after = {first};
        double before = coreSeconds();
        lastNanos = System.nanoTime();
        moments.clear();
        moments.add(new Moment(0, lastNanos));
        seconds = Turns.seconds(() -> after[0] = first.step(steps));
        coreSeconds = coreSeconds() + victimSeconds - before;
        metrics = after[0].metrics();
        placesAfter = after[0].executors();
        cells = after[0].read("u");
      }
      timeLine = kills ? timeLine(spark) : "";
    }

    private String timeLine(SparkSession spark) {
      try {
        spark.sparkContext().listenerBus().waitUntilEmpty();
      } catch (Exception e) { // Spark declares none
        throw new IllegalStateException("events of Spark do not come", e);
      }
      return line.text(": %d blocks".formatted(blocks()));
    }

    @Override
    public void progressed(GridProgress progress) {
      long now = System.nanoTime();
      longestPause = Math.max(longestPause, (now - lastNanos) * 1e-9);
      lastNanos = now;
      moments.add(new Moment(progress.done(), now));
      if (kills && victim != 0 && 2 * progress.done() >= progress.wanted()) {
        ProcessHandle process = ProcessHandle.of(victim).orElseThrow();
        victimSeconds = coreSeconds(process);
        line.kill();
        killed = moments.size() - 1;
        process.destroyForcibly(); // signal 9
        victim = 0;
      }
    }

    /** Returns the index of the last superstep of the job that has brought blocks back. */
    int resumed() {
      int first = Math.min(killed + 1, moments.size() - 1);
      while (first + 1 < moments.size()
          && moments.get(first + 1).nanos() - moments.get(first).nanos() < SAME_NANOS) {
        first++;
      }
      return first;
    }

    double superstepSeconds(int first, int last) {
      long steps = moments.get(last).done() - moments.get(first).done();
      return 1e-9
          * (moments.get(last).nanos() - moments.get(first).nanos())
          * stepsPerExchange
          / steps;
    }

    /** Blocks that have moved to the executor that has come are not those of another that is. */
    boolean replayedOnlyTheLost() {
      return metrics.replayedBlocks().containsAll(lost)
          && metrics.replayedBlocks().stream()
              .allMatch(
                  block ->
                      lost.contains(block) || !placesAfter.get(block).equals(places.get(block)));
    }
  }
}
