/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import io.sparkstencil.spark.catalyst.interop.UiTab;
import io.sparkstencil.spark.grid.blocks.GridStarted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/** Remembers the last queries with stencils and the last grids of an application. */
public final class StencilActivity extends SparkListener {
  /** More are forgotten, the oldest first. */
  private static final int MOST = 100;

  private final Map<String, Execution> executions = new LinkedHashMap<>();
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
   * @param runs its operators
   */
  record Query(String id, String description, boolean running, long millis, List<StencilRun> runs) {
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

  private Execution execution(String id) {
    Execution execution = executions.computeIfAbsent(id, key -> new Execution());
    if (executions.size() > MOST) {
      executions.remove(executions.keySet().iterator().next());
    }
    return execution;
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
            queries.add(
                0, new Query(id, each.description, running, millis, List.copyOf(each.runs)));
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
