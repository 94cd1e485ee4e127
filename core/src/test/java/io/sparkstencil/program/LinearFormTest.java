/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.program.generate.Equations;
import io.sparkstencil.program.generate.ImageFilters;
import io.sparkstencil.program.text.ProgramText;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinearFormTest {
  private static Optional<LinearForm> last(StencilProgram program, boolean throughStages) {
    Update update = program.updates().get(program.updates().size() - 1);
    return throughStages
        ? LinearForm.throughStages(program, update)
        : LinearForm.of(program, update);
  }

  private static String format(StencilProgram program, LinearForm form) {
    return form.weights().entrySet().stream()
            .map(
                term ->
                    "%s %s%s%s"
                        .formatted(
                            term.getValue(),
                            program.fields().get(term.getKey().field()),
                            term.getKey().updated() ? "'" : "",
                            term.getKey().offset()))
            .collect(Collectors.joining(" + "))
        + " + "
        + form.constant();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u[1]                               | 1.0 u[1] + 0.0",
        "2*u[-1] - u[1]*3 + 1               | 2.0 u[-1] + -3.0 u[1] + 1.0",
        "-(u[0] - 2*v[0])/4                 | -0.25 u[0] + 0.5 v[0] + -0.0",
        "fma(0.5, u[1], u[1])               | 1.5 u[1] + 0.0",
        "fma(u[1], 2, 3)                    | 2.0 u[1] + 3.0",
        "laplacian(u, 2) + 2*u              | 1.0 u[-1] + 1.0 u[1] + 0.0",
        "sqrt(4)*u[0] + min(1, 2)           | 2.0 u[0] + 1.0",
        "where(1 < 2, u[0], sqrt(u[1]))     | 1.0 u[0] + 0.0",
        "where(2 < 1 or 2 <= 1, a, 3*u[2])  | 3.0 u[2] + 0.0",
        "3 + 0*u[0]                         | ' + 3.0'"
      })
  void isTheWeightedSumThatAnUpdateComputes(String text, String form) {
    StencilProgram program = ProgramText.parse("u' = " + text, 1);

    assertThat(format(program, last(program, false).orElseThrow())).isEqualTo(form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "u[0]*u[1]",
        "a*u[0]",
        "x*u[0]",
        "u[0]*v[0]",
        "1/u[0]",
        "min(u[0], 1)",
        "sqrt(u[0])",
        "abs(u[0])",
        "where(u[0] < 1, u[0], 2)",
        "u[0] + a",
        "fma(u[0], u[1], 1)",
        "sqrt(-1)*u[0]"
      })
  void isNothingForOtherValues(String text) {
    assertThat(last(ProgramText.parse("u' = " + text, 1), false)).isEmpty();
  }

  @Test
  void writesOutWhatOtherUpdatesCompute() {
    StencilProgram program =
        ProgramText.parse("s' = u[-1] + u[1] + 3; t' = 2*s'[1] - u[0]; u' = t'[-1] + s'[0]/4");

    assertThat(format(program, last(program, false).orElseThrow()))
        .isEqualTo("1.0 t'[-1] + 0.25 s'[0] + 0.0");
    assertThat(format(program, last(program, true).orElseThrow()))
        .isEqualTo("1.25 u[-1] + 2.25 u[1] + 6.75");
    assertThat(last(ProgramText.parse("s' = sqrt(u[0]); u' = s'[1]"), true)).isEmpty();
  }

  @Test
  void ofAFilterHasTheProductsOfTheWeightsOfItsPasses() {
    StencilProgram mean = ImageFilters.mean(1, 2);
    LinearForm form = last(mean, true).orElseThrow();

    assertThat(form.weights()).hasSize(15);
    assertThat(form.weights().values())
        .allSatisfy(weight -> assertThat(weight).isEqualTo(1 / 15.0, within(1e-15)));
    assertThat(form.constant()).isZero();
    assertThat(last(Equations.wave(2, 8, 1, 1, 0.1), true).orElseThrow().weights()).hasSize(1);
    assertThat(last(Equations.heat(3, 2, 1, 1, 0.1), true).orElseThrow().weights()).hasSize(7);
  }
}
