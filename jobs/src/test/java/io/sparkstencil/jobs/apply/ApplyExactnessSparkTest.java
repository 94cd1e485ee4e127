/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.apply.ApplyRequest.OfStencil;
import io.sparkstencil.jobs.apply.ApplyRequest.ResultColumn;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every op, every boundary and radii up to wider than the series, over any number of partitions:
 * the bits of a scalar computation over the whole series.
 */
final class ApplyExactnessSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  private static final String COLUMN = "temp_max";

  /** The widest first derivative that {@link StandardStencils} has weights for. */
  private static final int WIDEST_DERIVATIVE = 32;

  private static final int[] RADII = {1, 3, 50, 2000};
  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.SHRINK,
          Boundary.VALID,
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP,
          Boundary.constant(-3.75));

  private static final Map<String, Double[]> EXPECTED = new ConcurrentHashMap<>();
  private static List<ResultColumn> columns;

  @BeforeAll
  static void computeByScalarCode() throws IOException {
    columns = columns();
    ScalarSeries oracle = new ScalarSeries(SeattleWeather.column(COLUMN));
    columns.parallelStream()
        .forEach(
            column ->
                EXPECTED.put(
                    column.name(), oracle.apply(((OfStencil) column.calculation()).stencil())));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void equalsTheScalarComputation(int partitions) {
    SparkSession session = SPARK.session().newSession();
    session.conf().set("spark.sql.shuffle.partitions", partitions);
    session.conf().set("spark.sql.adaptive.coalescePartitions.enabled", false);
    Dataset<Row> weather = TableFormat.CSV.read(session, SeattleWeather.CSV.toString());

    Dataset<Row> results =
        new ApplyRequest("date", List.of(), columns, false, "auto").applyTo(weather);

    assertThat(results.rdd().getNumPartitions()).isEqualTo(partitions);
    assertEqualsScalar(results);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 41})
  void equalsTheScalarComputationOverOrderedRows(int partitions) {
    SparkSession session = SPARK.session().newSession();
    List<Row> rows =
        TableFormat.CSV.read(session, SeattleWeather.CSV.toString()).sort("date").collectAsList();

    Dataset<Row> results =
        new ApplyRequest("date", List.of(), columns, true, "auto")
            .applyTo(inOrder(session, rows, partitions));

    assertThat(results.rdd().getNumPartitions()).isEqualTo(partitions);
    assertEqualsScalar(results);
  }

  private static Dataset<Row> inOrder(SparkSession session, List<Row> rows, int partitions) {
    return session.createDataFrame(
        JavaSparkContext.fromSparkContext(session.sparkContext()).parallelize(rows, partitions),
        rows.get(0).schema());
  }

  /** Returns every op with every boundary and radius. */
  private static List<ResultColumn> columns() {
    List<ResultColumn> all = new ArrayList<>();
    for (int radius : RADII) {
      ops(radius)
          .forEach(
              (op, stencil) -> {
                for (Boundary boundary : BOUNDARIES) {
                  String name = "%s_%d_%s".formatted(op, radius, boundary).replace(':', '_');
                  all.add(new ResultColumn(COLUMN, stencil.withBoundary(boundary), name));
                }
              });
    }
    return all;
  }

  private static Map<String, Stencil> ops(int radius) {
    Frame frame = Frame.radius(radius);
    Map<String, Stencil> ops = new LinkedHashMap<>();
    ops.put("mean", Stencil.mean(frame));
    ops.put("sum", Stencil.sum(frame));
    ops.put("min", Stencil.min(frame));
    ops.put("max", Stencil.max(frame));
    ops.put("count", Stencil.count(frame));
    ops.put(
        "weighted",
        Stencil.weighted(frame, new Random(radius).doubles(frame.width(), -1, 1).toArray()));
    ops.put("gaussian", StandardStencils.gaussian(radius / 4.0));
    ops.put("savgol", StandardStencils.savitzkyGolay(radius, 2));
    if (radius <= WIDEST_DERIVATIVE) {
      ops.put("derivative", StandardStencils.derivative(1, 2 * radius, 1));
    }
    return ops;
  }

  private static void assertEqualsScalar(Dataset<Row> results) {
    List<Row> rows = new ArrayList<>(results.collectAsList());
    rows.sort(Comparator.comparing(row -> row.getAs("date").toString()));
    for (ResultColumn column : columns) {
      int index = rows.get(0).fieldIndex(column.name());
      Double[] actual =
          rows.stream()
              .map(row -> row.isNullAt(index) ? null : ((Number) row.get(index)).doubleValue())
              .toArray(Double[]::new);
      Double[] expected = EXPECTED.get(column.name());
      if (!Arrays.equals(actual, expected)) { // boxed doubles are equal if their bits are
        assertThat(actual).as(column.name()).containsExactly(expected);
      }
    }
  }
}
