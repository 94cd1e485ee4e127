/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.HiveResult;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;

/** Runs statements of Spark's own tests with the settings and tables that these expect. */
final class GoldenSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GoldenSession.class.getName());

  private static final String ONEK =
      """
      unique1 int, unique2 int, two int, four int, ten int, twenty int, hundred int, thousand int,
      twothousand int, fivethous int, tenthous int, odd int, even int, stringu1 string,
      stringu2 string, string4 string
      """;

  private final SparkSession spark;

  private static final Set<String> GIVEN = Set.of("aggtest", "onek", "tenk1");

  /** A function that returns its argument. */
  private interface Identity extends Function1<Object, Object>, Serializable {}

  /** What a statement gave, the rows without spaces at their ends. */
  record Result(String schema, List<String> rows, LogicalPlan optimized, SparkPlan plan) {}

  private GoldenSession(SparkSession spark) {
    this.spark = spark;
    spark.conf().set("spark.sql.session.timeZone", "America/Los_Angeles");
    registerUdf();
  }

  /** Starts Spark, with the tables that the tests of PostgreSQL read. */
  static GoldenSession start(Path warehouse) {
    SparkSession spark =
        Sessions.builder("local[2]")
            .config("spark.sql.warehouse.dir", warehouse.toString())
            .getOrCreate();
    load(spark, "aggtest", "a int, b float", "agg");
    load(spark, "onek", ONEK, "onek");
    load(spark, "tenk1", ONEK, "tenk");
    return new GoldenSession(spark);
  }

  private static void load(SparkSession spark, String table, String schema, String file) {
    spark
        .read()
        .schema(schema)
        .option("delimiter", "\t")
        .csv(GoldenFile.FOLDER.resolve("test-data/postgresql/" + file + ".data").toString())
        .coalesce(1)
        .write()
        .mode("overwrite")
        .saveAsTable(table);
  }

  /** Returns a session of the same tables, without views, functions and settings of others. */
  GoldenSession another() {
    return new GoldenSession(spark.newSession());
  }

  /** Spark's tests call a function {@code udf} that takes any value through text and back. */
  private void registerUdf() {
    spark
        .sessionState()
        .functionRegistry()
        .createOrReplaceTempFunction(
            "udf", (Function1<Seq<Expression>, Expression>) GoldenSession::udf, "built-in");
  }

  private static Expression udf(Seq<Expression> arguments) {
    Expression value = arguments.apply(0);
    Identity identity = text -> text;
    ScalaUDF call =
        new ScalaUDF(
            identity,
            DataTypes.StringType,
            ScalaInterop.seqOf(cast(value, DataTypes.StringType)),
            ScalaInterop.seqOf(),
            Option.empty(),
            Option.apply("udf"),
            true,
            true);
    return cast(call, value.dataType());
  }

  private static Cast cast(Expression value, DataType type) {
    return new Cast(value, type, Option.empty(), EvalMode.LEGACY());
  }

  SparkSession session() {
    return spark;
  }

  void set(String option, Object value) {
    spark.conf().set(option, value.toString());
  }

  /** Runs a statement that may fail. */
  void tryToRun(String sql) {
    try {
      spark.sql(sql);
    } catch (Exception failure) {
      LOG.log(System.Logger.Level.DEBUG, sql, failure);
    }
  }

  /** Runs a statement to its end. */
  Result run(String sql) {
    SparkSession.setActiveSession(spark); // its time zone is that of rows in words
    Dataset<Row> rows = spark.sql(sql);
    QueryExecution execution = ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution();
    SparkPlan plan = execution.executedPlan();
    List<String> lines = new ArrayList<>();
    for (String each : ScalaInterop.list(HiveResult.hiveResultString(plan))) {
      for (String line : each.split("\n", -1)) {
        lines.add(line.stripTrailing());
      }
    }
    return new Result(rows.schema().catalogString(), lines, execution.optimizedPlan(), plan);
  }

  /** Returns the name of an error as Spark documents it, or of its class. */
  static String condition(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SparkThrowable known && known.getCondition() != null) {
        return known.getCondition();
      }
    }
    return failure.getClass().getName();
  }

  /** Gives Spark's own windows rows that tie in the order of ours, in one partition. */
  void sortTies() {
    spark.conf().set("spark.stencil.sql.enabled", "false");
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    spark.experimental().extraOptimizations_$eq(ScalaInterop.seqOf(new SortedTies()));
  }

  /** Creates the tables of TPC-DS, without their rows if so wanted. */
  void createTpcds(boolean empty) {
    try (InputStream in = GoldenSession.class.getResourceAsStream("tpcds-tables.sql")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String each : text.split(";\n")) {
        spark.sql(empty ? each + " limit 0" : each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Drops the databases and tables that statements have made beside those of {@link #start}. */
  void clean() {
    spark.sql("use default");
    for (Row each : spark.sql("show databases").collectAsList()) {
      if (!each.getString(0).equals("default")) {
        spark.sql("drop database " + each.getString(0) + " cascade");
      }
    }
    List<String> views =
        spark.sql("show views in default").collectAsList().stream()
            .map(each -> each.getString(1))
            .toList();
    for (Row each : spark.sql("show tables in default").collectAsList()) {
      if (!each.getBoolean(2) && !GIVEN.contains(each.getString(1))) {
        boolean view = views.contains(each.getString(1));
        spark.sql("drop " + (view ? "view " : "table ") + each.getString(1));
      }
    }
  }

  @Override
  public void close() {
    spark.stop();
  }
}
