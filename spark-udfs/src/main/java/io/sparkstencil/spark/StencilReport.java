/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import io.sparkstencil.spark.plugin.EngineChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/**
 * Collects engines, rows and times of the stencil queries that a session runs between {@link
 * #listen} and {@link #close}.
 *
 * <pre>{@code
 * try (StencilReport report = StencilReport.listen(spark)) {
 *   result.write().parquet(path);
 *   report.close();
 *   System.out.println(report.values());
 * }
 * }</pre>
 */
public final class StencilReport extends SparkListener implements AutoCloseable {
  private static final long DRAIN_MILLIS = 30_000;

  private final SparkContext context;
  private final List<StencilRun> runs = new ArrayList<>();
  private final Map<Long, Long> startedMillis = new LinkedHashMap<>();
  private final Map<Long, Long> elapsedMillis = new LinkedHashMap<>();
  private boolean closed;

  private StencilReport(SparkContext context) {
    this.context = context;
  }

  /** Starts to collect what queries of {@code session} do. */
  public static StencilReport listen(SparkSession session) {
    SparkContext context = session.sparkContext();
    StencilReport report = new StencilReport(context);
    context.addSparkListener(report);
    return report;
  }

  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof StencilRun run) {
      runs.add(run);
    } else if (event instanceof SparkListenerSQLExecutionStart start) {
      startedMillis.put(start.executionId(), start.time());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      Long started = startedMillis.remove(end.executionId());
      if (started != null) {
        elapsedMillis.put(end.executionId(), end.time() - started);
      }
    }
  }

  /** Ends the collection, after all events of finished queries have come in. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      context.listenerBus().waitUntilEmpty(DRAIN_MILLIS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Spark's events did not come in within 30 s", e);
    } finally {
      context.removeSparkListener(this);
    }
  }

  private synchronized long sum(String counter) {
    return runs.stream().mapToLong(run -> run.counter(counter)).sum();
  }

  /** Returns the engines that ran, joined by {@code +}; {@code none} if no stencil did. */
  public String engine() {
    List<String> engines = new ArrayList<>();
    for (String engine : List.of(Engines.GPU, Engines.CPU, Engines.REFERENCE)) {
      if (sum(engine + "Tasks") > 0) {
        engines.add(engine);
      }
    }
    return engines.isEmpty() ? "none" : String.join("+", engines);
  }

  /** Returns the rows that the queries returned. */
  public long rows() {
    return sum("numOutputRows");
  }

  /** Returns the cells that stencils computed, all result columns together. */
  public long cells() {
    return sum("cells");
  }

  /** Returns the tasks that worked on a part of the data each. */
  public long partitions() {
    return sum("partitions");
  }

  /** Returns the cells that went from one partition to another as halo. */
  public long haloCellsMoved() {
    return sum("haloCells");
  }

  /** Returns the bytes that the operators shuffled to order the rows. */
  public long shuffledBytes() {
    return sum("shuffledBytes");
  }

  /**
   * Returns why tasks were given the engine that they tried first, and how many for each reason:
   * {@code requested}, {@code no other engine here}, {@code device estimated faster}, {@code host
   * estimated faster}.
   */
  public Map<String, Long> engineChoices() {
    Map<String, Long> choices = new LinkedHashMap<>();
    choices.put(EngineChoice.ASKED_FOR.text(), sum("askedForTasks"));
    choices.put(EngineChoice.ONLY_ONE.text(), sum("onlyEngineTasks"));
    choices.put(EngineChoice.DEVICE_FASTER.text(), sum("deviceFasterTasks"));
    choices.put(EngineChoice.HOST_FASTER.text(), sum("hostFasterTasks"));
    choices.values().removeIf(tasks -> tasks == 0);
    return choices;
  }

  /** Returns the tasks that used another engine than the preferred one. */
  public long fallbacks() {
    return sum("fallbacks");
  }

  /** Returns the milliseconds that queries with stencils took, from start to end. */
  public synchronized long totalMillis() {
    return runs.stream()
        .map(StencilRun::execution)
        .filter(execution -> execution != null)
        .distinct()
        .mapToLong(execution -> elapsedMillis.getOrDefault(Long.valueOf(execution), 0L))
        .sum();
  }

  /** Returns cells computed per second of the queries' whole time. */
  public double cellsPerSecond() {
    long millis = totalMillis();
    return millis == 0 ? 0 : cells() * 1000.0 / millis;
  }

  /**
   * Returns milliseconds by step: {@code shuffle} and {@code halo} as the driver waited for them,
   * {@code sort} and {@code stencil} summed over tasks, {@code total} from start to end.
   */
  public Map<String, Long> millisByStep() {
    Map<String, Long> steps = new LinkedHashMap<>();
    steps.put("shuffle", sum("shuffleTime"));
    steps.put("halo", sum("haloTime"));
    steps.put("sort", sum("sortTime") / 1_000_000);
    steps.put("stencil", sum("stencilTime") / 1_000_000);
    steps.put("total", totalMillis());
    return steps;
  }

  /** Returns all of it by name. */
  public Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("engine", engine());
    values.put("rows", rows());
    values.put("cells", cells());
    values.put("cellsPerSecond", cellsPerSecond());
    values.put("partitions", partitions());
    values.put("haloCellsMoved", haloCellsMoved());
    values.put("shuffledBytes", shuffledBytes());
    values.put("fallbacks", fallbacks());
    values.put("engineChoices", engineChoices());
    values.put("millisByStep", millisByStep());
    return values;
  }
}
