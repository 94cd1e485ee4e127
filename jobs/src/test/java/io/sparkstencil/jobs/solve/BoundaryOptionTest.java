/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundaryOptionTest {
  private static final StencilProgram PROGRAM =
      ProgramText.parse("u' = u[0,1] + v[1,0]; v' = u[-1,0] - v[0,-1]");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "periodic|wrap",
        "x=periodic,y=constant:0|x=wrap,y=constant:0",
        "constant:1.5|constant:1.5",
        "u:periodic|u=wrap",
        "u:x=periodic,y.low=constant:0|u.x=wrap,u.y.low=constant:0",
        "v : nearest|v=nearest",
        "u:constant:2|u=constant:2",
        "v.y=mirror|v.y=mirror"
      })
  void readsRulesForAllFieldsOrOne(String option, String rules) {
    assertThat(BoundaryOption.apply(PROGRAM, option))
        .isEqualTo(BoundaryText.apply(PROGRAM, rules))
        .isNotEqualTo(PROGRAM);
  }

  @Test
  void refusesUnknownRules() {
    assertThatThrownBy(() -> BoundaryOption.apply(PROGRAM, "w:periodic"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("unknown boundary");
    assertThatThrownBy(() -> BoundaryOption.apply(PROGRAM, "x.low=periodic"))
        .hasMessageContaining("use wrap on both sides or on none");
  }
}
