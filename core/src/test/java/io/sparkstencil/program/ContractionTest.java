/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContractionTest {
  private static StencilProgram contracted(String text) {
    StencilProgram program = ProgramText.parse("u' = " + text, 1);
    return ProgramTraits.of(program.withAccuracy(Accuracy.FMA)).program();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a*b + c        | fma(a, b, c)",
        "c + a*b        | fma(a, b, c)",
        "a*b + c*d      | fma(a, b, c * d)",
        "a*b - c        | fma(a, b, -c)",
        "c - a*b        | fma(-a, b, c)",
        "a*b - c*d      | fma(a, b, -(c * d))",
        "a*b - 2        | fma(a, b, -2)",
        "a*b - -2       | fma(a, b, 2)",
        "c - 2*a        | fma(-2, a, c)",
        "a*b + c*d + e  | fma(a, b, c * d) + e",
        "e + a*b + c*d  | fma(c, d, fma(a, b, e))",
        "a*b*c + d      | fma(a * b, c, d)",
        "a*(b*c + d)    | a * fma(b, c, d)",
        "-(a*b) + c     | -(a * b) + c",
        "a*b / c + d    | a * b / c + d",
        "a + b - c      | a + b - c",
        "min(a*b, c)    | min(a * b, c)",
        "fma(a, b, c*d) | fma(a, b, c * d)",
        "fma(a,b,c) - d*e | fma(-d, e, fma(a, b, c))"
      })
  void fusesTheLeftmostProductOfASum(String written, String fused) {
    assertThat(contracted(written)).hasToString("u' = " + fused);
  }

  @Test
  void aProductThatIsUsedElsewhereIsFusedAndComputed() {
    assertThat(contracted("a*b + min(a*b, c)")).hasToString("u' = fma(a, b, min(a * b, c))");
  }

  @Test
  void exactProgramsStayAsWrittenAndFastOnesAreFused() {
    StencilProgram program = ProgramText.parse("u' = a*u[1] + u[-1]");

    assertThat(ProgramTraits.of(program).program()).isSameAs(program);
    assertThat(ProgramTraits.of(program.withAccuracy(Accuracy.FAST)).program())
        .hasToString("u' = fma(a, u[1], u[-1])");
  }

  @Test
  void keepsFieldsParametersBoundariesAndUpdates() {
    StencilProgram program =
        ProgramText.parse("u' = a*u[1] + c[0]; v' = 2*u'[1] + v[0]").withAccuracy(Accuracy.FMA);
    ProgramTraits traits = ProgramTraits.of(program);

    assertThat(traits.program().fields()).isEqualTo(List.of("u", "v", "c"));
    assertThat(traits.program().parameters()).isEqualTo(List.of("a"));
    assertThat(traits.program().boundaries()).isEqualTo(program.boundaries());
    assertThat(traits.stages()).hasSize(2);
    assertThat(traits.operations()).isEqualTo(2);
    assertThat(ProgramTraits.of(program.withAccuracy(Accuracy.EXACT)).operations()).isEqualTo(4);
  }
}
