/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in SQL. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class ProgramFunctionsSparkTest {
  private static final String WAVES = "u + 0.3*(u[-2] - u*u[1]) - where(u < 0, 1, x/7)";

  @ParameterizedTest
  @EnumSource
  void expressionsHaveTheBitsOfTheReference(ArraySession.Mode mode) {
    Random random = new Random(11);
    for (int length : new int[] {1, 2, 5, 100, 4000}) {
      double[] cells = random.doubles(length, -2, 2).toArray();
      double[] expected = cells.clone();
      StencilProgram program = ProgramText.parse(WAVES, 1);
      ProgramReference.run(
          program,
          new ProgramArrays(ElementType.F64, Extent.of(length), List.of(expected)),
          ParameterValues.NONE,
          3);
      String array =
          Arrays.stream(cells)
              .mapToObj(c -> c + "D")
              .collect(Collectors.joining(",", "array(", ")"));
      List<Row> rows =
          ArraySession.collect(mode, "SELECT stencil_expr(%s, '%s', 3)".formatted(array, WAVES));
      List<Double> result = rows.get(0).getList(0);
      assertThat(result).containsExactly(Arrays.stream(expected).boxed().toArray(Double[]::new));
    }
  }

  @Test
  void columnsOfImagesKeepTheirTypeAndOrder() {
    StructType type =
        new StructType(
            new StructField[] {
              DataTypes.createStructField("id", DataTypes.IntegerType, false),
              DataTypes.createStructField(
                  "image",
                  DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.FloatType)),
                  true)
            });
    List<Row> images = new ArrayList<>();
    for (int id = 0; id < 20; id++) {
      float of = id;
      images.add(
          RowFactory.create(
              id, id == 7 ? null : List.of(List.of(of, of + 1), List.of(of + 2, of + 3))));
    }
    List<Row> rows =
        ArraySession.get()
            .createDataFrame(images, type)
            .selectExpr("id", "stencil_expr(image, 'u[0,1] - u[-1,0]', 1, 'nearest') AS d")
            .orderBy("id")
            .collectAsList();
    for (int id = 0; id < 20; id++) {
      if (id == 7) {
        assertThat(rows.get(id).isNullAt(1)).isTrue();
      } else {
        assertThat(rows.get(id).getList(1).toString())
            .isEqualTo(
                "[ArraySeq(1.0, 0.0), ArraySeq(3.0, 2.0)]".replace("ArraySeq", seqName(rows, id)));
      }
    }
  }

  private static String seqName(List<Row> rows, int id) {
    String text = rows.get(id).getList(1).toString();
    return text.substring(1, text.indexOf('('));
  }

  @ParameterizedTest
  @EnumSource
  void resultsAreNullWhereTheyDependOnNulls(ArraySession.Mode mode) {
    assertThat(only(mode, "stencil_expr(array(1D, 2D, NULL, 4D, 5D, 6D), 'u[-1] + u[1]')"))
        .isEqualTo("[3.0,null,6.0,null,10.0,11.0]");
    assertThat(
            only(
                mode,
                "stencil_expr(array(1D, NULL, 3D, 4D, 5D, 6D, 7D), 'u[-1] + u', 2, 'constant:0')"))
        .isEqualTo("[1.0,null,null,null,16.0,20.0,24.0]");
    assertThat(only(mode, "stencil2d_max(array(array(1D, NULL), array(0D, 3D)), 0)"))
        .isEqualTo("[[1.0,null],[0.0,3.0]]");
  }

  private static String only(ArraySession.Mode mode, String expression) {
    return ArraySession.collect(mode, "SELECT to_json(struct(%s AS r))".formatted(expression))
        .get(0)
        .getString(0)
        .replaceAll("^.*:|}$", "");
  }

  @Test
  void integersBecomeDoubleAndFloatsStayFloat() {
    assertThat(schema("stencil_expr(array(1, 2), 'u/4')")).isEqualTo("array<double>");
    assertThat(schema("stencil_expr(array(1L), 'u')")).isEqualTo("array<double>");
    assertThat(schema("stencil_expr(array(1.5), 'u')")).isEqualTo("array<double>");
    assertThat(schema("stencil_expr(array(1F), 'u')")).isEqualTo("array<float>");
    assertThat(schema("stencil2d_sobel(array(array(1F)))")).isEqualTo("array<array<float>>");
    assertThat(schema("stencil_expr(array(array(array(1F))), 'u[0,0,1]')"))
        .isEqualTo("array<array<array<float>>>");
  }

  private static String schema(String expression) {
    return ArraySession.get()
        .sql("SELECT " + expression + " AS r")
        .schema()
        .apply("r")
        .dataType()
        .simpleString();
  }

  @Test
  void emptyArraysStayEmpty() {
    assertThat(
            ArraySession.get()
                .sql("SELECT stencil_expr(slice(array(1D), 1, 0), 'u[-1]')")
                .first()
                .getList(0))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stencil_expr(array(1D), 'u[-1] +')|the text ends too early",
        "stencil_expr(array(1D), 'u[-1,0]')|give one distance per axis",
        "stencil_expr(array(1D), 'a*u[-1]')|parameter a has no value",
        "stencil_expr(array(1D), 'u[-1] + c[0]')|does not say which of the fields",
        "stencil_expr(array(1D), 'u\\' = u[-1] + c[0]')|but there is one array",
        "stencil_expr(array(1D), 'u[-1]', 0)|0 steps",
        "stencil_expr(array(1D), 'u[-1]', 1, 'shrink')|use reflect, mirror, nearest, wrap or",
        "stencil_expr(array(1D), 'u[-1]', 1, 'wrap', 'sharp')|unknown accuracy",
        "stencil_expr('text', 'u[-1]')|of numbers, of one to three dimensions",
        "stencil2d_sobel(array(1D))|of numbers",
        "stencil_expr(array(1D), upper(current_user()))|",
        "stencil2d_mean(array(array(1D)), -1)|-1",
        "stencil2d_convolve(array(array(1D)), array(array(1D), array()))|",
        "stencil2d_convolve(array(array(1D)), array(array(NULL)))|null"
      })
  void mistakesAreRefusedBeforeAnyWork(String call) {
    String[] parts = call.split("\\|", -1);
    assertThatThrownBy(() -> ArraySession.get().sql("SELECT " + parts[0]))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(parts[1]);
  }

  @Test
  void rowsOfOneImageHaveOneLength() {
    assertThatThrownBy(
            () ->
                ArraySession.get()
                    .sql("SELECT stencil2d_sobel(array(array(1D, 2D), array(3D)))")
                    .collect())
        .hasStackTraceContaining(BadDataException.class.getName())
        .hasStackTraceContaining("give all rows the same number of elements");
  }
}
