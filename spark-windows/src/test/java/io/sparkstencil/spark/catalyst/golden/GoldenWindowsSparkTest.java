/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.spark.catalyst.plan.TakeoverReasons;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.package$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.WindowExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * The statements with windows in Spark's own tests give the results in Spark's golden files. Where
 * a result depends on rows that tie, it is Spark's for the order that we document.
 */
final class GoldenWindowsSparkTest {
  private static final int FILES = 30;

  /** Whether the tables of what is counted are of this line of Spark: others have other files. */
  private static final boolean COUNTED = package$.MODULE$.SPARK_VERSION().startsWith("4.1.");

  private static final TakeoverReasons REASONS = new TakeoverReasons();

  private static GoldenSession spark;
  private static int files;

  @BeforeAll
  static void start(@TempDir Path warehouse) {
    spark = GoldenSession.start(warehouse);
  }

  @AfterAll
  static void stop() throws IOException {
    spark.close();
    if (COUNTED && files == FILES) {
      Path page = Path.of(System.getProperty("stencil.home"), "docs", "sql-windows.md");
      assertThat(Files.readString(page)).as("reasons").contains(REASONS.table());
    }
  }

  /**
   * Compares a file's results, and counts its windows. A failing assertion prints what belongs into
   * the table.
   *
   * @param ours how many windows our operators compute
   * @param sparks how many Spark's do
   * @param ties how many results are not those of the file, but right as well
   */
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "golden-windows.csv", numLinesToSkip = 1)
  void sameAsGolden(String file, int ours, int sparks, int ties) {
    assumeThat(COUNTED || GoldenFile.isThere(file)).as("this line of Spark has %s", file).isTrue();
    Comparison comparison = new Comparison(file);
    GoldenFile.read(file).statements().forEach(comparison::check);
    comparison.session.clean();
    files++;
    assertThat(comparison.wrong).as(file).isEmpty();
    if (COUNTED) {
      assertThat(List.of(comparison.ours, comparison.sparks, comparison.ties))
          .as("%s: windows of ours and of Spark, and other orders of rows that tie", file)
          .containsExactly(ours, sparks, ties);
    }
  }

  /** Returns a session as the statements of a file expect it. */
  private static GoldenSession session(String file) {
    GoldenSession session = spark.another();
    session.set("spark.stencil.sql.enabled", "true");
    session.set("spark.sql.legacy.interval.enabled", file.startsWith("postgreSQL/"));
    if (file.equals("pipe-operators.sql")) {
      session.createTpcds(true);
    }
    return session;
  }

  /** Compares the results of one file. */
  private static final class Comparison {
    private final String file;
    private final GoldenSession session;
    private final List<String> commands = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private int ours;
    private int sparks;
    private int ties;

    Comparison(String file) {
      this.file = file;
      this.session = session(file);
    }

    void check(GoldenFile.Statement statement) {
      if (statement.isCommand()) {
        // What needs a class of Spark's tests fails, and with it the queries that need it.
        session.tryToRun(statement.sql());
        commands.add(statement.sql());
      } else if (statement.hasWindows()) {
        compare(statement);
      }
    }

    private void compare(GoldenFile.Statement statement) {
      GoldenSession.Result result;
      try {
        result = session.run(statement.sql());
      } catch (Exception failure) {
        String condition = GoldenSession.condition(failure);
        if (!statement.fails() || !statement.output().contains(condition)) {
          wrong.add(statement.sql() + "\nfailed: " + failure);
        }
        return;
      }
      count(result.plan());
      REASONS.add(result.optimized());
      if (!result.schema().equals(statement.schema())) {
        wrong.add(statement + "\nhas the columns " + result.schema());
      } else if (!isSame(statement, result)) {
        compareTies(statement, result);
      }
    }

    /** Golden files have the rows of a query without an order in an order of their own. */
    private static boolean isSame(GoldenFile.Statement statement, GoldenSession.Result result) {
      return result.rows().equals(statement.rows())
          || GoldenFile.sorted(result.rows()).equals(statement.rows());
    }

    private void compareTies(GoldenFile.Statement statement, GoldenSession.Result result) {
      ties++;
      GoldenSession sorted = session(file);
      sorted.sortTies();
      commands.forEach(sorted::tryToRun);
      List<String> expected = GoldenFile.sorted(sorted.run(statement.sql()).rows());
      if (!GoldenFile.sorted(result.rows()).equals(expected)) {
        wrong.add(statement + "\ngave " + String.join("\n", result.rows()));
      }
    }

    private void count(SparkPlan plan) {
      ours += WindowPlans.ours(plan).size();
      for (WindowExec each : WindowPlans.find(plan, WindowExec.class)) {
        sparks += each.windowExpression().size();
      }
    }
  }
}
