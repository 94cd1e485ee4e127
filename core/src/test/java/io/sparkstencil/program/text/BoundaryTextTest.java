/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundaryTextTest {
  private static final StencilProgram PROGRAM = ProgramText.parse("u' = u[1,0] + v[0,1]");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reflect                        | reflect",
        " WRAP                          | wrap",
        "constant:0                     | constant:0.0",
        "constant:-2.5e-3               | constant:-0.0025",
        "constant:nan                   | constant:NaN",
        "x=wrap                         | x=wrap, y=reflect",
        "x=wrap, y.low=constant:1, y.high=nearest | x=wrap, y.low=constant:1.0, y.high=nearest",
        "x.low = mirror                 | x.low=mirror, x.high=reflect, y=reflect",
        "nearest, y=wrap                | x=nearest, y=wrap",
        "x.low=wrap,x.high=wrap         | x=wrap, y=reflect",
        "u=wrap                         | u=wrap, v=reflect",
        "u.x=wrap                       | u.x=wrap, u.y=reflect, v=reflect",
        "u.x.low=nearest, v=mirror      | u.x.low=nearest, u.x.high=reflect, u.y=reflect, v=mirror",
        "wrap, u=mirror, u . y . high = constant:7 | u.x=mirror, u.y.low=mirror, u.y.high=constant:7.0, v=wrap",
        "u=wrap, v=wrap                 | wrap",
        "u=wrap, nearest                | nearest"
      })
  void laterRulesChangeEarlierOnes(String text, String formatted) {
    StencilProgram changed = BoundaryText.apply(PROGRAM, text);

    assertThat(BoundaryText.format(changed)).isEqualTo(formatted);
    assertThat(BoundaryText.apply(PROGRAM, formatted)).isEqualTo(changed);
    assertThat(changed.nodes()).isEqualTo(PROGRAM.nodes());
  }

  @Test
  void sidesThatAreNotMentionedKeepTheirRules() {
    StencilProgram changed = BoundaryText.apply(BoundaryText.apply(PROGRAM, "wrap"), "v.y=nearest");

    assertThat(BoundaryText.format(changed)).isEqualTo("u=wrap, v.x=wrap, v.y=nearest");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                        | 1  | unknown boundary \"\"; known boundaries are",
        "reflex                    | 1  | unknown boundary \"reflex\"; did you mean reflect? known boundaries are reflect, mirror, nearest, wrap and constant:C",
        "x=wrap, y=Periodic        | 11 | unknown boundary \"Periodic\"; known boundaries are",
        "x=wrap, y=mirrored        | 11 | unknown boundary \"mirrored\"; did you mean mirror? known",
        "x=wrap, y=                | 11 | unknown boundary \"\"; known boundaries are",
        "x=wrap,, y=wrap           | 8  | unknown boundary \"\"; known boundaries are",
        "x=constant:one            | 3  | boundary \"constant:one\": the constant is not a number; write constant:0.5",
        "constant                  | 1  | unknown boundary \"constant\"; did you mean constant:C? known boundaries are reflect, mirror",
        "Valid                     | 1  | boundary valid leaves cells without a value, which a program needs; use",
        "shrink                    | 1  | boundary shrink leaves cells without a value, which a program needs; use",
        "x=wrap, z=wrap            | 9  | \"z\" is unknown here; write a field of [u, v], an axis of [x, y] and low or high, as in u.x.low",
        "low=wrap                  | 1  | \"low\" is unknown here; write",
        "u.low=wrap                | 3  | \"low\" is unknown here; write",
        "x.left=wrap               | 3  | \"left\" is unknown here; write",
        "u.x.low.low=wrap          | 9  | \"low\" is unknown here; write",
        "x.y=wrap                  | 3  | \"y\" is unknown here; write",
        "u.=wrap                   | 3  | \"\" is unknown here; write",
        "=wrap                     | 1  | \"\" is unknown here; write",
        "x=y=wrap                  | 3  | unknown boundary \"y=wrap\"; known",
        "wrap, x.low=nearest       | 13 | u has nearest before and wrap after the cells of axis x; use wrap on both",
        "v.y.high=wrap             | 10 | v has reflect before and wrap after the cells of axis y; use wrap on both",
        "x=wrap, y=nearest, x=wrap | 20 | a second rule for the same sides; give one"
      })
  void showsThePlaceOfAnErrorAndTheRemedy(String text, int column, String message) {
    assertThatThrownBy(() -> BoundaryText.apply(PROGRAM, text))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageStartingWith("line 1, column %d: %s".formatted(column, message))
        .hasMessageEndingWith("%n  %s%n  %s^".formatted(text, " ".repeat(column - 1)));
  }
}
