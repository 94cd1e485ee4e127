/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs over several fields: the arrays of a struct. */
@WithSpark
final class ProgramStructsSparkTest {
  private static final String REACTION =
      "u' = u + 0.1*laplacian(u) - u*v*v; v' = v + 0.05*laplacian(v) + u*v*v - 0.01*v";

  private static String only(ArraySession.Mode mode, String expression) {
    return ArraySession.collect(mode, "SELECT to_json(struct(%s AS r))".formatted(expression))
        .get(0)
        .getString(0)
        .replaceAll("^\\{\"r\":|\\}$", "");
  }

  @ParameterizedTest
  @EnumSource
  void oneUpdatedFieldGivesItsArray(ArraySession.Mode mode) {
    String fields = "named_struct('u', array(1D, 2D, 4D), 'c', array(10D, 0D, 1D))";
    assertThat(only(mode, "stencil_expr(%s, \"u' = u + c[0]*u[1]\")".formatted(fields)))
        .isEqualTo("[21.0,2.0,8.0]");
    assertThat(
            only(mode, "stencil_expr(%s, \"u' = u + c[-1]\", 2, 'constant:0')".formatted(fields)))
        .isEqualTo("[1.0,22.0,4.0]");
  }

  @ParameterizedTest
  @EnumSource
  void severalGiveAStructWithTheBitsOfTheReference(ArraySession.Mode mode) {
    String rows =
        """
        SELECT id,
          transform(sequence(1, 5), y -> transform(sequence(1, 6 + id % 2), x -> float(sin(id + x * y)))) AS v,
          transform(sequence(1, 5), y -> transform(sequence(1, 6 + id % 2), x -> float(cos(id + x * y)))) AS w
        FROM range(0, 40, 1, 2)
        """;
    String call =
        "stencil_expr(named_struct('v', v, 'u', w), \"%s\", 3, 'wrap', 'fma')".formatted(REACTION);
    List<Row> results =
        ArraySession.collect(
            mode, "SELECT id, v, w, %s AS r FROM (%s) ORDER BY id".formatted(call, rows));
    assertThat(results).hasSize(40);
    for (Row row : results) {
      List<Object> expected = expected(row);
      Row fields = row.getStruct(3);
      assertThat(fields.schema().fieldNames()).containsExactly("v", "u");
      assertThat(flat(fields.getList(0))).isEqualTo(expected.get(1));
      assertThat(flat(fields.getList(1))).isEqualTo(expected.get(0));
    }
  }

  /** Returns the cells of u and v by the definition. */
  private static List<Object> expected(Row row) {
    StencilProgram program =
        BoundaryText.apply(ProgramText.parse(REACTION, 2), "wrap")
            .withAccuracy(io.sparkstencil.model.Accuracy.FMA);
    float[] u = flat(row.getList(2));
    float[] v = flat(row.getList(1));
    ProgramReference.run(
        program,
        new ProgramArrays(ElementType.F32, Extent.of(5, u.length / 5), List.of(u, v)),
        ParameterValues.NONE,
        3);
    return List.of(u, v);
  }

  private static float[] flat(List<?> rows) {
    List<Float> all = new ArrayList<>();
    for (Object row : rows) {
      scala.jdk.javaapi.CollectionConverters.asJava((scala.collection.Seq<?>) row)
          .forEach(cell -> all.add((Float) cell));
    }
    float[] cells = new float[all.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = all.get(i);
    }
    return cells;
  }

  @ParameterizedTest
  @EnumSource
  void nullsOfAnyFieldGoWhereResultsDependOnThem(ArraySession.Mode mode) {
    String fields = "named_struct('u', array(1D, 2D, 4D), 'c', array(10D, NULL, 1D))";
    assertThat(only(mode, "stencil_expr(%s, \"u' = u + c[-1]\")".formatted(fields)))
        .isEqualTo("[11.0,12.0,null]");
    String twice = "\"u' = u[-1]; v' = v + u[0]\"";
    assertThat(
            only(
                mode,
                "stencil_expr(named_struct('u', array(NULL, 1D, 2D), 'v', array(0D, 0D, 0D)), %s)"
                    .formatted(twice)))
        .isEqualTo("{\"u\":[null,null,1.0],\"v\":[null,1.0,2.0]}");
    String missing = "named_struct('u', array(1D), 'c', CAST(NULL AS array<double>))";
    assertThat(only(mode, "stencil_expr(%s, \"u' = u + c[1]\") IS NULL".formatted(missing)))
        .isEqualTo("true");
    String empty = "slice(array(1D), 1, 0)";
    assertThat(
            only(
                mode,
                "stencil_expr(named_struct('u', %s, 'v', %s), %s)".formatted(empty, empty, twice)))
        .isEqualTo("{\"u\":[],\"v\":[]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'u', array(1D), 'c', array(1D)  | u' = u + c    | c is one of the arrays [u, c]; write its cell as c[0]",
        "'u', array(1D), 'w', array(1D)  | u' = u + c[0] | the program neither reads nor updates w",
        "'u', array(1D)                  | u' = u + c[0] | the program reads c, which is not among the arrays [u]",
        "'c', array(1D)                  | u' = c[0]     | the program updates none of the arrays [c]",
        "'u', array(1), 'c', array(1)    | u' = u + c[0] | must be arrays of float or of double",
        "'u', array(1D), 'c', 1D         | u' = u + c[0] | must be arrays of float or of double",
        "'u', array(1D), 'c', array(1F)  | u' = u + c[0] | must be arrays of float or of double, all of one type",
        "'u', array(1D), 'c', array(array(1D)) | u' = u + c[0] | all of one type and of one to three dimensions",
        "'u', array(1D), 'c', array(1D, 2D) | u' = u + c[0] | the array c has 2 elements along an axis, but u has 1",
      })
  void refusesWhatDoesNotFit(String fields, String program, String message) {
    String query = "SELECT stencil_expr(named_struct(%s), \"%s\")".formatted(fields, program);
    assertThatThrownBy(() -> ArraySession.collect(ArraySession.Mode.BATCHED, query))
        .hasMessageContaining(message);
  }
}
