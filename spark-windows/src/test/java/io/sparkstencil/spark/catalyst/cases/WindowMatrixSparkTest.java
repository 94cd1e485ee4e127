/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.cases.MatrixFunctions.Joined;
import io.sparkstencil.spark.catalyst.plan.RowsOfAllTypes;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each function of each type in each kind of frame, in each way that windows take: Spark's bits,
 * and no window is left to Spark. Functions take turns: a build has each of them in a sixth of the
 * frames. Keys, orders and settings take turns as well. {@code -Dsparkstencil.test.exhaustive=true}
 * has all functions in all frames and ways.
 */
@WithSpark
final class WindowMatrixSparkTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("sparkstencil.test.exhaustive");
  private static final int ROWS = 601;
  private static final int PRIME = 30_011;

  private enum Way {
    /**
     * Ranges of one series, in several tasks, with functions that are none of columns among them.
     */
    ONE_SERIES("cells"),
    /**
     * Series by keys, with functions that are none of columns among them, and beside them a nested
     * column, which travels as bytes.
     */
    BYTES("(select *, array(k) as several from cells)"),
    /** Series by keys, whose rows are columns from the file to the result. */
    COLUMNS("stored"),
    /** Ranges of one series with functions of columns alone, from the file to the result. */
    RANGES("stored");

    private final String input;

    Way(String input) {
      this.input = input;
    }

    boolean isKeyed() {
      return this == BYTES || this == COLUMNS;
    }

    /** Tells whether rows are columns from the file to the result. */
    boolean isOfColumns() {
      return this == RANGES || this == COLUMNS;
    }

    /** Tells whether there are such frames: ranges have no columns of frames to the last row. */
    boolean takes(Frame frame) {
      return this != RANGES || frame.joined() != Joined.ALL;
    }
  }

  /**
   * A kind of frame.
   *
   * @param bounds as SQL has them
   * @param byValue whether keys are compared, so that there is one, and rows may tie
   * @param joined what parts without keys have to be
   */
  private record Frame(String bounds, boolean byValue, Joined joined) {
    private List<String> orders(Way way) {
      if (byValue) {
        return bounds.matches(".*\\d.*") ? NUMBERS : VALUES;
      }
      return ORDERS;
    }

    String order(Way way, int turn) {
      List<String> orders = orders(way);
      return orders.get(turn % orders.size());
    }

    boolean ties(Way way, int turn) {
      return byValue && Stream.of(order(way, turn).split("[ ,]+")).noneMatch("t"::equals);
    }

    @Override
    public String toString() {
      return bounds;
    }
  }

  private static final List<Frame> FRAMES =
      List.of(
          new Frame("rows between 3 preceding and 2 following", false, Joined.BETWEEN_BOUNDS),
          new Frame("rows between 2 following and 9 following", false, Joined.BETWEEN_BOUNDS),
          new Frame("range between 300 preceding and 7 following", true, Joined.BETWEEN_BOUNDS),
          new Frame("rows unbounded preceding", false, Joined.RUNNING),
          new Frame("range unbounded preceding", true, Joined.RUNNING),
          new Frame(
              "rows between unbounded preceding and unbounded following", false, Joined.RUNNING),
          new Frame("rows between current row and unbounded following", false, Joined.ALL),
          new Frame("range between current row and unbounded following", true, Joined.ALL),
          new Frame("rows between unbounded preceding and 3 following", false, Joined.ALL),
          new Frame("range between unbounded preceding and 20 following", true, Joined.ALL),
          new Frame("rows between 3 preceding and unbounded following", false, Joined.ALL),
          new Frame("range between 20 following and unbounded following", true, Joined.ALL));

  /** Orders in which no two rows tie. */
  private static final List<String> ORDERS =
      List.of("t", "d desc nulls last, t", "text nulls last, t desc", "k, day desc, t");

  /** Numbers to which steps are added; of some many are equal. */
  private static final List<String> NUMBERS = List.of("t", "k nulls last", "t desc", "slow");

  private static final List<String> VALUES = List.of("t", "k nulls last", "k, t desc", "slow desc");

  private static final List<String> KEYS = List.of("k", "name, even", "skewed", "many");

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.codegen.wholeStage", "false"); // takes longer than running
    spark.conf().set("spark.sql.shuffle.partitions", "3");
    RowsOfAllTypes.stored(spark, ROWS, PRIME, folder);
    spark.table("cells").createOrReplaceTempView("stored");
    spark
        .sql(
            "select *, if(id % 13 = 4, null, cast(id as decimal(28, 3))) as large,"
                + " if(id % 13 = 5, null, cast(id as decimal(38, 3))) as widest from ("
                + RowsOfAllTypes.sql(ROWS, PRIME)
                + ")")
        .createOrReplaceTempView("cells");
  }

  static Stream<Arguments> cells() {
    return IntStream.range(0, FRAMES.size())
        .boxed()
        .flatMap(
            frame ->
                Stream.of(Way.values())
                    .filter(way -> way.takes(FRAMES.get(frame)))
                    .map(way -> Arguments.of(FRAMES.get(frame), way)));
  }

  private static void settings(int turn) {
    spark.conf().set("spark.sql.adaptive.enabled", turn % 2 == 0);
    spark.conf().set("spark.sql.ansi.enabled", turn % 3 == 0);
  }

  private static Pattern without(Way way, Joined joined) {
    if (way == Way.RANGES && joined == Joined.RUNNING) {
      return MatrixFunctions.NO_COLUMNS_OF_RANGES;
    }
    return way.isOfColumns() ? MatrixFunctions.NO_COLUMNS : MatrixFunctions.NONE;
  }

  @ParameterizedTest
  @MethodSource("cells")
  void functionsHaveSparksBits(Frame frame, Way way) {
    int turn = FRAMES.indexOf(frame) + way.ordinal();
    settings(turn);
    Joined joined = way.isKeyed() ? Joined.BETWEEN_BOUNDS : frame.joined();
    List<String> functions =
        MatrixFunctions.of(
            frame.ties(way, turn),
            joined,
            without(way, joined),
            EXHAUSTIVE ? -1 : turn % MatrixFunctions.TURNS);
    if (turn % 3 == 0) { // of one row, Spark divides by zero in ANSI mode
      functions = functions.stream().filter(each -> !each.startsWith("corr")).toList();
    }
    String window = "order by %s %s".formatted(frame.order(way, turn), frame.bounds());
    Dataset<Row> ours = same(way, functions, window, turn);
    if (way == Way.COLUMNS) {
      assertThat(WindowPlans.operators(ours))
          .as(WindowPlans.plan(ours).treeString())
          .allMatch(SparkPlan::supportsColumnar);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ranksAndDistancesHaveSparksBits(Way way) {
    for (int turn = 0; turn < ORDERS.size(); turn++) {
      settings(turn);
      List<String> functions =
          List.of(
              "row_number()",
              "rank()",
              "dense_rank()",
              "percent_rank()",
              "cume_dist()",
              "ntile(7)",
              "ntile(5000)",
              "lag(d)",
              "lead(text, 3)",
              "lag(bytes, 2) ignore nulls");
      if (way == Way.RANGES) { // distances are rows beside ranks
        functions = functions.subList(0, 7);
      }
      same(way, functions, "order by " + ORDERS.get(turn), turn);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ranksAndTotalsOfTiesHaveSparksBits(Way way) {
    List<String> functions =
        List.of(
            "rank()",
            "dense_rank()",
            "percent_rank()",
            "cume_dist()",
            "count(*)",
            "sum(l)",
            way == Way.RANGES ? "min(day)" : "min(text)", // which ranges hand on as rows
            "max(i)",
            "avg(m)");
    List<String> orders = // a constant is no order of columns
        List.of("few desc nulls last", "g, slow", way.isOfColumns() ? "text desc" : "1");
    for (int turn = 0; turn < orders.size(); turn++) {
      settings(turn);
      same(way, functions, "order by " + orders.get(turn), turn);
    }
  }

  /** Runs functions over one window, as Spark does, and checks that series were what they are. */
  private static Dataset<Row> same(Way way, List<String> functions, String window, int turn) {
    String keys = way.isKeyed() ? "partition by " + KEYS.get(turn % KEYS.size()) : "";
    String sql =
        "select %s, %s from %s"
            .formatted(
                way == Way.BYTES ? "id, several" : "id",
                IntStream.range(0, functions.size())
                    .mapToObj(
                        i -> "%s over (%s %s) as r%d".formatted(functions.get(i), keys, window, i))
                    .collect(Collectors.joining(", ")),
                way.input);
    spark
        .conf()
        .set("spark.stencil.sql.files.enabled", way != Way.RANGES); // files have no columnRows
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.ours(WindowPlans.plan(ours)))
        .hasSizeGreaterThanOrEqualTo(functions.size());
    long columnRows = WindowPlans.columnRows(ours) + WindowPlans.seriesMetric(ours, "columnRows");
    if (way == Way.RANGES) {
      assertThat(WindowPlans.operators(ours))
          .as(WindowPlans.plan(ours).treeString())
          .isNotEmpty()
          .allMatch(SparkPlan::supportsColumnar)
          .extracting(each -> each.metrics().apply("columnRows").value())
          .containsOnly((long) ROWS);
    } else if (way.isKeyed() && !window.endsWith(" 1")) {
      assertThat(columnRows).isPositive();
    }
    return ours;
  }
}
