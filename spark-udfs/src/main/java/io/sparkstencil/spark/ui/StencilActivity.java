/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UiTab;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import io.sparkstencil.spark.plugin.GridStarted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/** Remembers the last queries with stencils and the last grids of an application. */
public final class StencilActivity extends SparkListener {
  /** More are forgotten, the oldest first. */
  private static final int MOST = 100;

  private static final String DEVICE_BYTES = "deviceBytes";

  private final Map<String, Execution> executions = new LinkedHashMap<>();

  /** Device memory of the task with the most, by the numbers of operators' counters. */
  private final Map<Long, Long> deviceBytes = new HashMap<>();

  private final Deque<GridStarted> grids = new ArrayDeque<>();

  /** A query as it is known to Spark; most have no stencils. */
  private static final class Execution {
    private String description = "";
    private long startMillis;
    private long endMillis;
    private final List<StencilRun> runs = new ArrayList<>();
  }

  /**
   * A query with stencils, as it is now.
   *
   * @param id its number on Spark's SQL page
   * @param description what Spark calls it
   * @param running whether it has not ended
   * @param millis how long it has taken so far
   * @param deviceBytes device memory of the task that had the most
   * @param runs its operators
   */
  record Query(
      String id,
      String description,
      boolean running,
      long millis,
      long deviceBytes,
      List<StencilRun> runs) {
    /** Returns the sum of a counter over all operators. */
    long sum(String counter) {
      return runs.stream().mapToLong(run -> run.counter(counter)).sum();
    }
  }

  private StencilActivity() {}

  /** Adds the tab "Stencil" to the web pages of an application, if it has any. */
  public static void show(SparkContext context) {
    if (context.ui().isEmpty()) {
      return;
    }
    StencilActivity activity = new StencilActivity();
    context.addSparkListener(activity);
    UiTab.attach(
        context,
        "stencil",
        "Stencils",
        base -> new ActivityPage(base).html(activity.queries(), activity.grids()));
  }

  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      Execution execution = execution(Long.toString(start.executionId()));
      execution.description = start.description();
      execution.startMillis = start.time();
    } else if (event instanceof StencilRun run && run.execution() != null) {
      execution(run.execution()).runs.add(run);
      run.id(DEVICE_BYTES).ifPresent(id -> deviceBytes.put(id, 0L));
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      String id = Long.toString(end.executionId());
      Execution execution = execution(id);
      execution.endMillis = end.time();
      if (execution.runs.isEmpty()) {
        executions.remove(id);
      }
    } else if (event instanceof GridStarted grid) {
      grids.addLast(grid);
      if (grids.size() > MOST) {
        grids.removeFirst();
      }
    }
  }

  /** Keeps what the task with the most counts; Spark's own counters are sums over all tasks. */
  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    for (AccumulableInfo each : ScalaInterop.list(end.taskInfo().accumulables())) {
      Object update = each.update().getOrElse(() -> null);
      if (deviceBytes.containsKey(each.id()) && update instanceof Long bytes) {
        deviceBytes.merge(each.id(), bytes, Math::max);
      }
    }
  }

  private Execution execution(String id) {
    Execution execution = executions.computeIfAbsent(id, key -> new Execution());
    if (executions.size() > MOST) {
      Execution oldest = executions.remove(executions.keySet().iterator().next());
      oldest.runs.forEach(run -> run.id(DEVICE_BYTES).ifPresent(deviceBytes::remove));
    }
    return execution;
  }

  private long deviceBytes(StencilRun run) {
    OptionalLong id = run.id(DEVICE_BYTES);
    return id.isPresent() ? deviceBytes.getOrDefault(id.getAsLong(), 0L) : 0;
  }

  /** Returns the queries with stencils, the latest first. */
  synchronized List<Query> queries() {
    long now = System.currentTimeMillis();
    List<Query> queries = new ArrayList<>();
    executions.forEach(
        (id, each) -> {
          if (!each.runs.isEmpty()) {
            boolean running = each.endMillis == 0;
            long end = running ? now : each.endMillis;
            long millis = each.startMillis == 0 ? 0 : end - each.startMillis;
            long bytes = each.runs.stream().mapToLong(this::deviceBytes).max().orElse(0);
            queries.add(
                0, new Query(id, each.description, running, millis, bytes, List.copyOf(each.runs)));
          }
        });
    return queries;
  }

  /** Returns the grids, the latest first. */
  synchronized List<GridStarted> grids() {
    List<GridStarted> latest = new ArrayList<>();
    grids.descendingIterator().forEachRemaining(latest::add);
    return latest;
  }
}
