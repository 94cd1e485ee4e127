/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */

import io.sparkstencil.model.{Boundary, StandardStencils}
import io.sparkstencil.program.generate.Equations
import io.sparkstencil.spark.Stencils
import io.sparkstencil.spark.grid.StencilGrids
import java.util.{List => JavaList, Map => JavaMap}
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.expressions.Window
import org.apache.spark.sql.functions.avg
import scala.util.Using

/** Smooths daily temperatures, by the API and by a window, and lets heat spread on a grid. */
object Temperatures {
  def main(arguments: Array[String]): Unit = {
    val home = sys.env.getOrElse("STENCIL_HOME", ".") // set by bin/stencil
    val file = arguments.headOption.getOrElse(s"$home/examples/data/seattle-weather.csv")
    val spark = SparkSession.builder().appName("temperatures").getOrCreate()
    val days = spark.read.option("header", true).option("inferSchema", true).csv(file)
    smooth(days).where("date between '2012-07-01' and '2012-07-05'").orderBy("date").show()
    spread(spark)
    spark.stop()
  }

  /** Returns days with the mean of a month around each, and with a smooth curve. */
  private def smooth(days: DataFrame): DataFrame = {
    val filter = StandardStencils.savitzkyGolay(7, 2).withBoundary(Boundary.NEAREST)
    val month = Window.orderBy("date").rowsBetween(-15, 15)
    Stencils
      .over(days)
      .orderBy("date")
      .mean("temp_max", 15, "mean")
      .apply("temp_max", filter, "smooth")
      .toDataset()
      .withColumn("window", avg("temp_max").over(month)) // the same mean, as a window
      .selectExpr("date", "temp_max", "mean", "window", "round(smooth, 3) AS smooth")
  }

  private def spread(spark: SparkSession): Unit = {
    // Axes, order of accuracy, diffusivity, spacing, and the time of a step.
    val heat = Equations.heat(2, 2, 1, 1, 0.2).withBoundary(Boundary.WRAP)
    val spot = spark.sql("SELECT 32L AS x, 32L AS y, 1000D AS u")
    val grid = StencilGrids
      .builder(spark, heat)
      .extent(64, 64)
      .rows(spot, JavaList.of("x", "y"), JavaMap.of("u", "u"))
    Using.resource(grid.create()) { first =>
      val later = first.step(100)
      println(f"after ${later.steps}%d steps: hottest ${later.max("u")}%.6f, sum ${later.sum("u")}%.3f")
    }
  }
}
