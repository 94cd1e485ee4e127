/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.window.WindowExec;
import scala.jdk.javaapi.CollectionConverters;

/** Runs queries as Spark does and with our operators, and tells what operators they had. */
public final class WindowPlans {
  /**
   * Settings with which Spark takes the least for what tests expect: the fewest tasks and stages,
   * and no stages that are compiled for few rows. Its frames call what they compute so often that
   * this is compiled.
   */
  private static final Map<String, String> SIMPLE =
      Map.of(
          "spark.sql.adaptive.enabled",
          "false",
          "spark.sql.shuffle.partitions",
          "1",
          "spark.sql.codegen.wholeStage",
          "false",
          "spark.sql.codegen.factoryMode",
          "FALLBACK",
          "spark.stencil.sql.enabled",
          "false");

  private WindowPlans() {}

  /** Returns a query after it ran with our operators, having compared its rows with Spark's. */
  public static Dataset<Row> sameAsSpark(SparkSession spark, String sql) {
    spark.conf().set("spark.stencil.sql.enabled", "true");
    Dataset<Row> ours = spark.sql(sql);
    areSparks(spark, sql, RowBits.collected(ours), () -> expected(spark, sql));
    return ours;
  }

  /**
   * Checks rows in words, and asks Spark what they are unless that is known.
   *
   * @param query its text, with whatever else decides what Spark answers
   * @param asked asks Spark
   */
  public static void areSparks(
      SparkSession spark, String query, List<String> rows, Supplier<List<String>> asked) {
    areSparks(query, KnownAnswers.digest(spark, query, rows), () -> rows, asked);
  }

  /**
   * Checks rows in whatever order. Unlike words of them, their digest needs no sort.
   *
   * @param asked asks Spark, and returns its rows as {@link RowBits#sorted} does
   */
  private static void areSparks(
      SparkSession spark, String query, Row[] rows, Supplier<List<String>> asked) {
    String digest = KnownAnswers.digest(spark, query, rows);
    areSparks(query, digest, () -> RowBits.sorted(rows), asked);
  }

  private static void areSparks(
      String query, String digest, Supplier<List<String>> rows, Supplier<List<String>> asked) {
    if (!KnownAnswers.has(digest)) {
      assertThat(rows.get()).as(query).isEqualTo(asked.get());
      KnownAnswers.add(digest);
    }
  }

  /**
   * Tells whether Spark is known to have answered so, for a test that asks it itself if not, and
   * {@linkplain #remember remembers} the answer.
   */
  public static boolean isSparks(SparkSession spark, String query, List<String> rows) {
    return KnownAnswers.has(KnownAnswers.digest(spark, query, rows));
  }

  /** Takes down what Spark has answered. */
  public static void remember(SparkSession spark, String query, List<String> rows) {
    KnownAnswers.add(KnownAnswers.digest(spark, query, rows));
  }

  /**
   * Returns queries that have one window each beside all columns of a table, after they ran with
   * our operators, having compared their rows with Spark's, which computed all windows at once.
   */
  public static List<Dataset<Row>> eachSameAsSpark(
      SparkSession spark, String table, List<String> windows) {
    List<Row> all = new ArrayList<>();
    spark.conf().set("spark.stencil.sql.enabled", "true");
    List<Dataset<Row>> queries = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      String sql = "select *, %s from %s".formatted(windows.get(i), table);
      Dataset<Row> ours = spark.sql(sql);
      int given = ours.columns().length - 1;
      int result = i;
      areSparks(
          spark,
          sql,
          RowBits.collected(ours),
          () -> {
            if (all.isEmpty()) {
              all.addAll(ofAll(spark, table, windows));
            }
            return RowBits.sorted(all, given, result);
          });
      queries.add(ours);
    }
    return queries;
  }

  /** Returns Spark's own rows of a table with the results of all windows. */
  private static List<Row> ofAll(SparkSession spark, String table, List<String> windows) {
    String sql = "select *, %s from %s".formatted(String.join(", ", windows), table);
    return simply(spark, () -> spark.sql(sql).collectAsList());
  }

  /** Returns Spark's own rows, which are the same in whatever number of stages and tasks. */
  public static List<String> expected(SparkSession spark, String sql) {
    return simply(spark, () -> RowBits.sorted(spark.sql(sql)));
  }

  /** Runs a query with Spark's own windows, whatever the session's are. */
  private static <T> T simply(SparkSession spark, Supplier<T> query) {
    Map<String, String> before = new HashMap<>();
    SIMPLE.forEach(
        (key, value) -> {
          before.put(key, spark.conf().get(key));
          spark.conf().set(key, value);
        });
    try {
      return query.get();
    } finally {
      before.forEach(spark.conf()::set);
    }
  }

  /** The same for a query none of whose windows Spark's operators compute. */
  public static Dataset<Row> sameWithoutSpark(SparkSession spark, String sql) {
    Dataset<Row> ours = sameAsSpark(spark, sql);
    assertThat(sparks(ours)).as(plan(ours).treeString()).isZero();
    return ours;
  }

  /** Returns the plan of a query; that of adaptive execution is final after the query has run. */
  public static SparkPlan plan(Dataset<Row> dataset) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) dataset).queryExecution().executedPlan();
  }

  /** Returns the columns that stencil operators computed. */
  public static List<String> stencils(Dataset<Row> dataset) {
    return results(stencils(plan(dataset)));
  }

  /** Returns the operators of stencils. */
  public static List<StencilExec> stencils(SparkPlan plan) {
    return find(plan, StencilExec.class).stream().filter(StencilExec::isStencils).toList();
  }

  /** Returns the rows that stencil operators kept as columns; they count once they have run. */
  public static long columnRows(Dataset<Row> dataset) {
    return metric(dataset, "columnRows");
  }

  /** Returns what stencil operators counted, once they have run. */
  public static long metric(Dataset<Row> dataset, String name) {
    return metric(stencils(plan(dataset)), name);
  }

  /** Returns what operators of windows of series counted, once they have run. */
  public static long seriesMetric(Dataset<Row> dataset, String name) {
    return metric(windows(plan(dataset), WindowPlace.SERIES), name);
  }

  private static long metric(List<? extends SparkPlan> operators, String name) {
    return operators.stream().mapToLong(each -> each.metrics().apply(name).value()).sum();
  }

  /**
   * Returns the operators of windows that are no stencils, by what their tasks have of a series.
   */
  public static List<StencilExec> windows(SparkPlan plan, WindowPlace place) {
    return find(plan, StencilExec.class).stream()
        .filter(each -> !each.isStencils() && each.place() == place)
        .toList();
  }

  /** Returns the windows that operators of running windows computed. */
  public static List<String> running(Dataset<Row> dataset) {
    return results(windows(plan(dataset), WindowPlace.STATES));
  }

  /** Returns the windows that operators of bounded windows computed. */
  public static List<String> bounded(Dataset<Row> dataset) {
    return results(windows(plan(dataset), WindowPlace.HALOS));
  }

  /** Returns the windows of series given by keys that are no stencils. */
  public static List<String> series(Dataset<Row> dataset) {
    return results(windows(plan(dataset), WindowPlace.SERIES));
  }

  /** Returns the operators of windows that are no stencils. */
  public static List<SparkPlan> operators(Dataset<Row> dataset) {
    return find(plan(dataset), SparkPlan.class).stream()
        .filter(each -> each instanceof StencilExec windows && !windows.isStencils())
        .toList();
  }

  /** Returns how many operators of ours left out rows that are not among the first. */
  public static int limits(Dataset<Row> dataset) {
    return find(plan(dataset), SeriesLimitExec.class).size();
  }

  /** Returns the windows that operators of ours compute, whichever. */
  public static List<String> ours(SparkPlan plan) {
    return results(find(plan, StencilExec.class));
  }

  private static List<String> results(List<? extends SparkPlan> operators) {
    List<String> names = new ArrayList<>();
    operators.forEach(each -> names.addAll(results(each)));
    return names;
  }

  /** Returns the columns that an operator with one child adds to those of its child. */
  private static List<String> results(SparkPlan operator) {
    int given = operator.children().apply(0).output().size();
    return CollectionConverters.asJava(operator.output()).stream()
        .skip(given)
        .map(result -> result.name())
        .toList();
  }

  /** Returns the number of windows that Spark's operators computed. */
  public static int sparks(Dataset<Row> dataset) {
    return find(plan(dataset), WindowExec.class).stream()
        .mapToInt(each -> each.windowExpression().size())
        .sum();
  }

  /**
   * Returns the operators of a type, in stages of adaptive execution, subqueries and cached tables
   * too.
   */
  public static <T extends SparkPlan> List<T> find(SparkPlan plan, Class<T> type) {
    List<T> found = new ArrayList<>();
    collect(plan, type, found);
    return found;
  }

  private static <T extends SparkPlan> void collect(SparkPlan plan, Class<T> type, List<T> found) {
    if (type.isInstance(plan)) {
      found.add(type.cast(plan));
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), type, found);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), type, found);
    } else if (plan instanceof InMemoryTableScanExec scan) {
      collect(scan.relation().cachedPlan(), type, found);
    }
    CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, type, found));
    CollectionConverters.asJava(plan.subqueries()).forEach(query -> collect(query, type, found));
  }
}
