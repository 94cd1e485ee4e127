/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.functions.ArrayColumns;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Null, empty and nested arrays, nulls in arrays, result types. */
@WithSpark
final class ArrayShapesSparkTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "NULL",
      textBlock =
          """
          stencil_mean(CAST(NULL AS array<float>), 1, 'valid')                         | NULL
          stencil_mean(CAST(array() AS array<float>), 1, 'valid')                      | []
          stencil_mean(array(1D, 2D), 1, 'valid')                                      | []
          stencil_sum(array(1D, 2D), 5, 'wrap')                                        | [17.0,16.0]
          stencil_sum(array(1, NULL, 3), 1, 'shrink')                                  | [1,4,3]
          stencil_mean(array(NULL, NULL, 4D, 5D), 0, 1, 'valid')                       | [null,4.0,4.5]
          stencil_count(array(NULL, NULL, 4D), 1, 'reflect')                           | [0,1,2]
          stencil_min(array(NULL, 7, 3), 1, 0, 'nearest')                              | [null,7,3]
          stencil_correlate(array(1D, NULL, 3D, 4D, 5D), array(1, 1, 1), 'valid')      | [null,null,12.0]
          stencil_correlate(array(1D, 2D, NULL), array(1, 1, 1), 'shrink')             | [3.0,null,null]
          stencil_iterate(array(1D, 2D, 3D, 4D, NULL, 6D), array(1, 1), 2, 'valid')    | [8.0,12.0,null,null]
          stencil_max(array(1D, double('NaN'), 0D), 1, 'shrink')                       | [NaN,NaN,NaN]
          stencil_sum(array(array(1, 2, 3), NULL, array(), array(4, 5)), 1, 'valid')   | [[6],null,[],[]]
          stencil_sum(array(array(array(1, 2)), array(array(3), NULL)), 0, 1, 'valid') | [[[3]],[[],null]]
          stencil_sum(array(array(1, 2), array(30, NULL, 4)), 1, 'shrink')             | [[3,3],[30,34,4]]
          stencil_sum(array(array(), NULL, array(1), array(NULL, 4)), 1, 'nearest')    | [[],null,[3],[4,8]]
          stencil_sum(array(2147483647, 1), 1, 'shrink')                               | [2147483648,2147483648]
          stencil_sum(array(9223372036854775807L, 1L), 1, 0, 'valid')                  | [-9223372036854775808]
          stencil_mean(array(tinyint(1), tinyint(2)), 0, 1, 'valid')                   | [1.5]
          stencil_mean(array(1.25, 2.75), 0, 1, 'valid')                               | [2.0]
          stencil_mean(array(1, 2), 0, 1, 'constant:7')                                | [1.5,4.5]
          stencil_count(array(1.5D, 2D), 1, 'constant:0.5')                            | [3,3]
          stencil_min(array(5D, 6D, 7D), -2, 2, 'shrink')                              | [7.0,null,null]
          stencil_min(array(5D, 6D, 7D), -2, 2, 'valid')                               | [7.0]
          stencil_mean(array(1D, 2D, 6D, 3D), 1)                                       | [1.5,3.0,3.6666666666666665,4.5]
          stencil_correlate(array(1D, 2D, 4D), array(1, 1, 1))                         | [3.0,7.0,6.0]
          stencil_iterate(array(0D, 4D, 0D), array(1, 2, 1), 2)                        | [16.0,24.0,16.0]
          """)
  void shapesAreKept(String call, String expected) {
    String query = "SELECT to_json(struct(%s AS x)) FROM range(1)".formatted(call);
    String json =
        "{\"x\":%s}".formatted(expected == null ? "null" : expected.replace("NaN", "\"NaN\""));
    ArraySession.get().conf().set("spark.sql.jsonGenerator.ignoreNullFields", false);
    for (ArraySession.Mode mode : ArraySession.Mode.values()) {
      Row row = ArraySession.collect(mode, query).get(0);
      assertThat(row.getString(0)).as("%s %s", mode, call).isEqualTo(json);
    }
  }

  @Test
  void resultTypesAreThoseOfTheReference() {
    String elements = "array(CAST(1 AS %s))";
    for (String type : List.of("float", "double", "int", "bigint")) {
      boolean floating = type.equals("float") || type.equals("double");
      String array = elements.formatted(type);
      assertThat(type("stencil_mean(%s, 0)", array)).isEqualTo(floating ? type : "double");
      assertThat(type("stencil_sum(%s, 0)", array)).isEqualTo(floating ? type : "bigint");
      assertThat(type("stencil_min(%s, 0)", array)).isEqualTo(type);
      assertThat(type("stencil_count(%s, 0)", array)).isEqualTo("int");
      assertThat(type("stencil_gaussian(%s, 1)", array)).isEqualTo(floating ? type : "double");
    }
  }

  private static String type(String call, String array) {
    Dataset<Row> dataset = ArraySession.get().sql("SELECT " + call.formatted(array));
    ArrayType type = (ArrayType) dataset.schema().fields()[0].dataType();
    assertThat(type.containsNull()).isFalse();
    return type.elementType().simpleString();
  }

  @Test
  void columnsOfADatasetAreTheFunctions() {
    Dataset<Row> dataset =
        ArraySession.get().sql("SELECT array(1D, 2D, 4D, 8D) AS a FROM range(1)");
    Row row =
        dataset
            .select(
                ArrayColumns.mean(functions.col("a"), Frame.radius(1), Boundary.VALID),
                ArrayColumns.sum(
                    functions.col("a"), Frame.precedingFollowing(0, 1), Boundary.constant(0.5)),
                ArrayColumns.min(functions.col("a"), Frame.radius(1), Boundary.WRAP),
                ArrayColumns.max(functions.col("a"), Frame.radius(1), Boundary.SHRINK),
                ArrayColumns.count(functions.col("a"), Frame.radius(1), Boundary.SHRINK),
                ArrayColumns.correlate(functions.col("a"), new double[] {1, -1}, Boundary.VALID),
                ArrayColumns.convolve(functions.col("a"), new double[] {1, -1}, Boundary.VALID),
                ArrayColumns.derivative(functions.col("a"), 2, 2, 1, Boundary.VALID),
                ArrayColumns.gaussian(functions.col("a"), 0.1, Boundary.NEAREST),
                ArrayColumns.savgol(functions.col("a"), 1, 2, 0, Boundary.VALID),
                ArrayColumns.iterate(functions.col("a"), new double[] {1, 1}, 2, Boundary.VALID))
            .head();
    assertThat(row.mkString(" ").replaceAll("[A-Za-z]+\\(", "("))
        .isEqualTo(
            "(2.3333333333333335, 4.666666666666667) (3.0, 6.0, 12.0, 8.5) (1.0, 1.0, 2.0, 1.0)"
                + " (2.0, 4.0, 8.0, 8.0) (2, 3, 3, 2) (-1.0, -2.0, -4.0) (1.0, 2.0, 4.0)"
                + " (1.0, 2.0) (1.0, 2.0, 4.0, 8.0) (2.0, 4.0) (9.0, 18.0)");
    assertThat(dataset.schema().fields()[0].dataType())
        .isEqualTo(DataTypes.createArrayType(DataTypes.DoubleType, false));
  }
}
