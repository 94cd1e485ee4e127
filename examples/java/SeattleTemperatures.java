/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.Stencils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Smooths daily temperatures: {@code bin/stencil java examples/java/SeattleTemperatures.java}. */
public final class SeattleTemperatures {
  private SeattleTemperatures() {}

  public static void main(String[] arguments) {
    SparkSession spark =
        SparkSession.builder().appName("Seattle").master("local[*]").getOrCreate();
    String home = System.getenv().getOrDefault("STENCIL_HOME", "."); // set by bin/stencil
    String file =
        arguments.length > 0 ? arguments[0] : home + "/examples/data/seattle-weather.csv";
    Dataset<Row> days =
        spark.read().option("header", true).option("inferSchema", true).csv(file);
    Stencil smoothing = StandardStencils.savitzkyGolay(7, 2).withBoundary(Boundary.NEAREST);

    Dataset<Row> smooth =
        Stencils.over(days)
            .orderBy("date")
            .mean("temp_max", 15, "month")
            .apply("temp_max", smoothing, "smooth")
            .toDataset();

    smooth
        .where("date between '2012-07-01' and '2012-07-05'")
        .selectExpr("date", "temp_max", "round(month, 3) as month", "round(smooth, 3) as smooth")
        .orderBy("date")
        .show();
    spark.stop();
  }
}
