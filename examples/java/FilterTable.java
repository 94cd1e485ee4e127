/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.StencilReport;
import io.sparkstencil.spark.Stencils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A job to begin with: {@code bin/stencil java FilterTable.java TABLE ORDER COLUMN OUTPUT}. */
public final class FilterTable {
  /** What is computed; any other stencil goes here. */
  private static final Stencil FILTER =
      Stencil.mean(Frame.radius(100)).withBoundary(Boundary.REFLECT);

  private FilterTable() {}

  public static void main(String[] arguments) {
    if (arguments.length != 4) {
      throw new IllegalArgumentException(
          "give a table (.csv or Parquet), its column of order, a column, and a folder for results");
    }
    String table = arguments[0];
    String column = arguments[2];
    SparkSession spark =
        SparkSession.builder()
            .appName("filter")
            .config("spark.master", System.getProperty("spark.master", "local[*]")) // spark-submit's
            .getOrCreate();
    Dataset<Row> rows =
        table.endsWith(".csv")
            ? spark.read().option("header", true).option("inferSchema", true).csv(table)
            : spark.read().parquet(table);

    Dataset<Row> filtered =
        Stencils.over(rows)
            .orderBy(arguments[1])
            .engine("auto") // "gpu" insists on one
            .apply(column, FILTER, column + "_filtered")
            .toDataset();

    try (StencilReport report = StencilReport.listen(spark)) {
      filtered.write().mode("overwrite").parquet(arguments[3]);
      report.close();
      System.out.printf(
          "%d rows on %s: %s%n", report.rows(), report.engine(), report.engineChoices().keySet());
    }
    spark.stop();
  }
}
