/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */

import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.Stencils;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Smooths one long series in blocks: {@code bin/stencil java examples/java/FilterArrays.java}. */
public final class FilterArrays {
  private static final int BLOCK = 1 << 16;

  private FilterArrays() {}

  public static void main(String[] arguments) {
    SparkSession spark =
        SparkSession.builder()
            .appName("filter")
            .config("spark.master", System.getProperty("spark.master", "local[*]")) // spark-submit's
            .getOrCreate();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    float[] saw = new float[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
      saw[i] = i % 64;
    }
    JavaRDD<float[]> signals = context.parallelize(List.of(saw, saw.clone(), saw.clone()), 3);

    JavaRDD<float[]> smooth =
        Stencils.over(signals, float[].class).blocks(Stencil.mean(Frame.radius(64)));

    for (float[] block : smooth.collect()) {
      System.out.printf(
          "%d cells, %.4f to %.4f%n", block.length, block[0], block[block.length - 1]);
    }
    spark.stop();
  }
}
