/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.plan.StencilExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;

/**
 * Windows over a table with the columns {@code id}, of which none are equal, {@code k} and {@code
 * v}, and what becomes of them. All results are compared with Spark's, bit by bit.
 */
final class TableWindows {
  /** Windows of the page, the partition by keys left open. */
  private static final List<String> WINDOWS =
      List.of(
          "avg(v) over (BY order by id rows 3 preceding)",
          "avg(v) over (BY order by id range between 5 preceding and 2 following)",
          "rank() over (BY order by id)",
          "sum(v) over (BY order by id)");

  private static final String KEYS = "partition by k";

  private final SparkSession spark;
  private final String source;
  private final String table;

  /**
   * Creates the windows.
   *
   * @param source what the page calls the table
   */
  TableWindows(SparkSession spark, String source, String table) {
    this.spark = spark;
    this.source = source;
    this.table = table;
  }

  /** Returns the line of the page. */
  String line() {
    List<String> cells = new ArrayList<>();
    cells.add(source);
    List<String> more = new ArrayList<>(); // shuffles of ours where Spark has fewer
    for (String by : List.of(KEYS, "")) {
      List<String> windows = WINDOWS.stream().map(each -> each.replace("BY", by)).toList();
      List<Dataset<Row>> queries = WindowPlans.eachSameAsSpark(spark, table, windows);
      for (int i = 0; i < windows.size(); i++) {
        Dataset<Row> ours = queries.get(i);
        SparkPlan theirs = ofSpark("select *, %s from %s".formatted(windows.get(i), table));
        requireSameScans(theirs, WindowPlans.plan(ours));
        cells.add(became(WindowPlans.plan(ours)));
        if (!by.isEmpty()) {
          more.add(shuffles(theirs) + " → " + shuffles(WindowPlans.plan(ours)));
        }
      }
    }
    requireSameRowsRead();
    requireSameOfSelections();
    cells.add(String.join(", ", new TreeSet<>(more)));
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** What Spark leaves out before a window is left out before ours. */
  private void requireSameRowsRead() {
    String sql =
        "select id, w from (select *, %s as w from %s) where k = 1"
            .formatted(WINDOWS.get(0).replace("BY", KEYS), table);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    requireSameScans(ofSpark(sql), WindowPlans.plan(ours));
  }

  /** Filters, selections and computed columns below windows have columns of the table as well. */
  private void requireSameOfSelections() {
    String rows =
        "(select id, k, v, v * 2 as v2 from %s where v is null or v > 0)".formatted(table);
    for (String by : List.of(KEYS, "")) {
      String sql = "select *, %s as w, count(v2) over (%s order by id) as n from %s";
      WindowPlans.sameAsSpark(spark, sql.formatted(WINDOWS.get(0).replace("BY", by), by, rows));
    }
  }

  private SparkPlan ofSpark(String sql) {
    spark.conf().set("spark.stencil.sql.enabled", "false");
    return WindowPlans.plan(spark.sql(sql));
  }

  /** Columns, filters and partitions of scans are those of Spark's plan. */
  private static void requireSameScans(SparkPlan theirs, SparkPlan ours) {
    List<SparkPlan> expected = scans(theirs);
    assertThat(expected).as(theirs.treeString()).isNotEmpty();
    assertThat(scans(ours)).as(ours.treeString()).isEqualTo(expected);
  }

  private static List<SparkPlan> scans(SparkPlan plan) {
    return WindowPlans.find(plan, SparkPlan.class).stream()
        .filter(each -> each.children().isEmpty() && each.nodeName().contains("Scan"))
        .map(SparkPlan::canonicalized)
        .toList();
  }

  private static String became(SparkPlan plan) {
    List<StencilExec> operators = WindowPlans.find(plan, StencilExec.class);
    if (operators.isEmpty()) {
      return "Spark";
    }
    assertThat(operators).hasSize(1);
    SparkPlan input = operators.get(0).child();
    while (input instanceof InputAdapter || input instanceof WholeStageCodegenExec) {
      input = input.children().apply(0);
    }
    String from = input.supportsColumnar() ? "columns" : "rows";
    String to = operators.get(0).supportsColumnar() ? "columns" : "rows";
    return from.equals(to) ? from : from + " to " + to;
  }

  private static int shuffles(SparkPlan plan) {
    int shuffles =
        (int)
            WindowPlans.find(plan, SparkPlan.class).stream()
                .filter(each -> each.nodeName().contains("Exchange"))
                .count();
    for (StencilExec each : WindowPlans.find(plan, StencilExec.class)) {
      shuffles += each.isShuffling() ? 1 : 0;
    }
    return shuffles;
  }
}
