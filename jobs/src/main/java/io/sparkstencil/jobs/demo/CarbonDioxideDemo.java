/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.demo;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.jobs.apply.ApplyRequest;
import io.sparkstencil.jobs.apply.ApplyRequest.ResultColumn;
import io.sparkstencil.jobs.chart.SeriesChart;
import io.sparkstencil.jobs.chart.SeriesChart.Curve;
import io.sparkstencil.jobs.chart.SeriesChart.Look;
import io.sparkstencil.jobs.chart.SeriesChart.Panel;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import java.sql.Date;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Carbon dioxide in the air at Mauna Loa, month by month: its trend without the seasons, and how
 * fast that grows.
 *
 * <p>Months without a measurement are put into the table as null rather than left out, so that 12
 * rows are always 12 months. They are not filled in: where a frame holds a null, or reaches beyond
 * the series, the result is null.
 */
final class CarbonDioxideDemo {
  static final String MONTH = "month";
  static final String MEASURED = "co2_ppm";
  static final String TREND = "trend_ppm";
  static final String GROWTH = "growth_ppm_per_year";

  private static final int MONTHS_PER_YEAR = 12;

  private CarbonDioxideDemo() {}

  /**
   * Returns the mean over the 12 months around a month: 13 cells of which the first and the last,
   * the same month of two years, count half, so that every month of the year weighs the same and
   * the frame is centred.
   */
  static Stencil yearMean() {
    double[] weights = new double[MONTHS_PER_YEAR + 1];
    Arrays.fill(weights, 1.0 / MONTHS_PER_YEAR);
    weights[0] = 0.5 / MONTHS_PER_YEAR;
    weights[MONTHS_PER_YEAR] = 0.5 / MONTHS_PER_YEAR;
    return Stencil.weighted(Frame.radius(MONTHS_PER_YEAR / 2), weights)
        .withBoundary(Boundary.VALID);
  }

  /** Returns the first derivative per year of a monthly series, of second order of accuracy. */
  static Stencil derivativePerYear() {
    return StandardStencils.derivative(1, 2, 1.0 / MONTHS_PER_YEAR).withBoundary(Boundary.VALID);
  }

  /** Returns the first pass: the trend from what was measured. */
  static ApplyRequest trend() {
    return pass(new ResultColumn(MEASURED, yearMean(), TREND), false);
  }

  /** Returns the second pass: the growth from the trend, whose rows are in order by then. */
  static ApplyRequest growth() {
    return pass(new ResultColumn(TREND, derivativePerYear(), GROWTH), true);
  }

  private static ApplyRequest pass(ResultColumn result, boolean ordered) {
    return new ApplyRequest(MONTH, List.of(), List.of(result), ordered, Engines.AUTO);
  }

  /** Returns one row per month from the first measurement to the last. */
  static Dataset<Row> months(SparkSession session, String csv) {
    Dataset<Row> measured =
        TableFormat.CSV.read(session, csv).select(col("Date"), col("CO2").as(MEASURED));
    return measured
        .selectExpr("explode(sequence(min(Date), max(Date), INTERVAL 1 MONTH)) AS " + MONTH)
        .join(measured, col(MONTH).equalTo(col("Date")), "left")
        .select(MONTH, MEASURED);
  }

  /** Returns the plot of rows (month, measured, trend, growth), which are in order. */
  static SeriesChart chart(List<Row> rows) {
    double[] at =
        rows.stream()
            .map(row -> ((Date) row.get(0)).toLocalDate().atStartOfDay(ZoneOffset.UTC))
            .mapToDouble(begin -> begin.toInstant().toEpochMilli())
            .toArray();
    return new SeriesChart("year", true)
        .add(
            new Panel(
                "Carbon dioxide at Mauna Loa",
                "CO\u2082 in dry air (ppm)",
                List.of(
                    new Curve("monthly mean", at, column(rows, 1), Look.DATA),
                    new Curve("12-month mean", at, column(rows, 2), Look.RESULT))))
        .add(
            new Panel(
                "Growth of the 12-month mean",
                "ppm per year",
                List.of(new Curve("growth", at, column(rows, 3), Look.RESULT))));
  }

  private static double[] column(List<Row> rows, int index) {
    return rows.stream()
        .mapToDouble(row -> row.isNullAt(index) ? Double.NaN : row.getDouble(index))
        .toArray();
  }
}
