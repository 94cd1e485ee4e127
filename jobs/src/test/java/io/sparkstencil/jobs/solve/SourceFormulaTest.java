/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.PointSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SourceFormulaTest {
  private static final List<String> AXES = List.of("x", "y");

  private static PointSource source(String text, long steps) {
    return SourceFormula.of(text, AXES, steps, 0.25, Map.of("f", 2.0));
  }

  @Test
  void addsANumberAfterEachStep() {
    PointSource source = source("u[64, 3] += 2*t + step + dt", 4);

    assertThat(source.field()).isEqualTo("u");
    assertThat(source.cell()).containsExactly(64, 3);
    assertThat(source.series()).containsExactly(0.75, 2.25, 3.75, 5.25);
  }

  @Test
  void endsWhereItsConditionDoes() {
    PointSource source = source("v[0,0] += 1/(0.75 - t) while t < 0.6", 100);

    assertThat(source.series()).containsExactly(2, 4);
    assertThat(source("v[0,0] += t while t > 5", 3).series()).isEmpty();
    assertThat(source("v[0,0] += t", 0).series()).isEmpty();
  }

  @Test
  void knowsPiAndTheNumbersThatAreSet() {
    double[] series = source("u[0,0] += sin(2*pi*f*t)", 3).series();

    for (int step = 0; step < 3; step++) {
      assertThat(series[step]).isEqualTo(Math.sin(Math.PI * (step + 1)), within(1e-15));
    }
    assertThat(SourceFormula.words("u[0,0] += sin(2*pi*f*t)"))
        .containsExactlyInAnyOrder("u", "sin", "pi", "f", "t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u += 1|it is no formula; write",
        "u[1] += 1|[1] is no cell of a grid with the axes [x, y]",
        "u[1,b] += 1|[1,b] has a position that is no whole number",
        "u[1,1] += q|nobody knows q; give it by --set q=NUMBER",
        "u[1,1] += v[0]|it reads cells; use t, step, dt and numbers",
        "u[1,1] += t[0]|--source \"u[1,1] += t[0]\": it reads cells; use t, step, dt and numbers",
        "u[1,1] += laplacian(t)|--source \"u[1,1] += laplacian(t)\": it reads cells",
        "u[1,1] += sin(|\"sin(\": line 1, column 5: the text ends too early",
        "u[1,1] += sine(t) while t < 2|\"where(t < 2, sine(t), 0)\": line 1, column 14: unknown function sine",
        "u[1,1] += sin(t) while t < ten()|\"where(t < ten(), sin(t), 0)\": line 1, column 11: unknown function ten",
        "u[1,1] += log(t - 1)|a source of u adds NaN"
      })
  void refusesWhatIsNoSource(String text, String message) {
    assertThatThrownBy(() -> source(text, 3))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesMoreStepsThanASeriesMayHave() {
    assertThatThrownBy(() -> source("u[1,1] += 1", 10_000_001))
        .hasMessageContaining("at most 10000000");
  }
}
