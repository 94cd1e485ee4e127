/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.ArrayFunction;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Function1;

/** What is done for RAPIDS, up to where it takes over: its interface is here, it is not. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class RapidsRuleSparkTest {
  private static final String QUERY =
      "SELECT id, stencil_mean(a, 1) AS m, stencil_max(stencil_min(a, 1), 0, 1, 'wrap') AS x,"
          + " stencil_count(a, 1) AS c FROM numbers WHERE stencil_sum(a, 1)[0] > 3";

  @TempDir private static Path folder;

  private final SparkSession spark = ArraySession.get();
  private ClassLoader before;

  /** Makes a class path with the interface; its real one has the same name. */
  @BeforeEach
  void pretendThatRapidsIsOn() throws Exception {
    Path source =
        Files.createDirectories(folder.resolve("com/nvidia/spark")).resolve("RapidsUDF.java");
    Files.writeString(
        source,
        """
        package com.nvidia.spark;
        public interface RapidsUDF {
          default Object evaluateColumnar(int rows, Object... columns) {
            throw new UnsupportedOperationException();
          }
        }
        """);
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
        .isZero();
    before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    spark.conf().set("spark.sql.legacy.setCommandRejectsSparkCoreConfs", false);
    spark.conf().set("spark.plugins", "com.nvidia.spark.SQLPlugin");
    spark
        .sql("SELECT id, transform(sequence(1, 9), i -> double(i * id)) AS a FROM range(5)")
        .createOrReplaceTempView("numbers");
  }

  @AfterEach
  void stopPretending() {
    spark.conf().unset("spark.plugins");
    spark.conf().unset("spark.sql.legacy.setCommandRejectsSparkCoreConfs");
    spark.conf().unset("spark.stencil.sql.arrays.rapids");
    Thread.currentThread().setContextClassLoader(before);
  }

  private static String optimized(Dataset<Row> rows) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) rows)
        .queryExecution()
        .optimizedPlan()
        .toString();
  }

  @Test
  void functionsAreOfferedAndTakenBackWhereTheyAreLeft() {
    Dataset<Row> offered = spark.sql(QUERY);
    // A count has another type than its elements: it is not for columns of lists.
    assertThat(optimized(offered))
        .contains("stencil_mean[1](", "stencil_max[0, 1, wrap](stencil_min[1](", "stencil_sum[1](")
        .contains("stencil_count(");
    List<ArrayProjectExec> operators = ArraySession.operators(offered);
    assertThat(operators).isNotEmpty();
    assertThat(operators.toString()).contains("stencil_mean(").doesNotContain("stencil_mean[");
    List<Row> found = offered.collectAsList();
    spark.conf().set("spark.stencil.sql.arrays.rapids", false);
    Dataset<Row> kept = spark.sql(QUERY);
    assertThat(optimized(kept)).doesNotContain("stencil_mean[");
    assertThat(found).hasSize(3).isEqualTo(kept.collectAsList());
  }

  @Test
  void theFunctionCanBeCalledAsOneOfAUser() {
    UnsafeArrayData cells = UnsafeArrayData.fromPrimitiveArray(new double[] {1, 2, 6});
    ArrayExpression mean =
        new ArrayExpression(
            ArrayFunction.MEAN,
            ScalaInterop.seq(
                List.of(
                    new Literal(cells, DataTypes.createArrayType(DataTypes.DoubleType, false)),
                    new Literal(1, DataTypes.IntegerType))));
    ScalaUDF udf = RapidsFunction.wrap(mean);
    @SuppressWarnings("unchecked") // as Spark calls it
    Function1<Object, Object> function = (Function1<Object, Object>) udf.function();
    assertThat(function.apply(ScalaInterop.seq(List.of(1.0, 2.0, 6.0))))
        .isEqualTo(ScalaInterop.seq(List.of(1.5, 3.0, 4.0)));
    assertThat(function.apply(null)).isNull();
    assertThat(udf).isEqualTo(RapidsFunction.wrap(mean));
    assertThat(udf.toString()).startsWith("stencil_mean[1](");
    assertThat(RapidsFunction.unwrap(udf)).isEqualTo(mean);
    assertThat(function)
        .hasToString("stencil_mean")
        .hasSameHashCodeAs(RapidsFunction.wrap(mean).function());
  }
}
