/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramTextTest {
  private static String canonical(String text) {
    return ProgramText.parse(text, 1).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "u - v[0] - w[0]                | u[0] - v[0] - w[0]",
        "u - (v[0] - w[0])              | u[0] - (v[0] - w[0])",
        "a/b*c/u[1]                     | a / b * c / u[1]",
        "a/(b*u[1])                     | a / (b * u[1])",
        "-a*u[0]                        | -a * u[0]",
        "-(a*u[0])                      | -(a * u[0])",
        "a - -u[0]                      | a - -u[0]",
        "a - -2*u[0]                    | a - -2 * u[0]",
        "-(2)*u[0]                      | -(2) * u[0]",
        "--u[0]                         | -(-u[0])",
        "+u[0]                          | u[0]",
        "where(u[0] > 1 and a < b or not c == d, 1, 2) | where(1 < u[0] and a < b or not c == d, 1,"
            + " 2)",
        "where(u[0] >= 1 and (a < b or c != d), 1, 2)  | where(1 <= u[0] and (a < b or not c == d),"
            + " 1, 2)",
        "where(not (a < b and c < u[0]), 1, 2)         | where(not (a < b and c < u[0]), 1, 2)",
        "min(u[0], a, b)                | min(min(u[0], a), b)",
        "max(a, max(b, u[0]))           | max(a, max(b, u[0]))",
        "fma(u[0], 2.50, 1e-3)          | fma(u[0], 2.5, 0.001)",
        "abs(u[0]) + sqrt(.5)           | abs(u[0]) + sqrt(0.5)",
        "x*u[+1]                        | x * u[1]",
        "d(u, x)                        | -0.5 * u[-1] + 0.5 * u[1]",
        "laplacian(u)                   | u[-1] - 2 * u[0] + u[1]",
        "d*u[0]                         | d * u[0]"
      })
  void operationsBindAsInArithmeticAndApplyFromLeftToRight(String text, String printed) {
    assertThat(canonical("u' = " + text)).isEqualTo("u' = " + printed);
    assertThat(canonical("u' = " + printed)).isEqualTo("u' = " + printed);
  }

  @Test
  void anExpressionAloneUpdatesTheOnlyField() {
    assertThat(canonical("u[-1] + 1")).isEqualTo("u' = u[-1] + 1");
    assertThat(canonical("2*u")).isEqualTo("u' = 2 * u[0]");
    assertThat(canonical("t = 2*u[1]; t + t")).isEqualTo("t1 = 2 * u[1]; u' = t1 + t1");
    assertThat(canonical("u[0];")).isEqualTo("u' = u[0]");
  }

  @Test
  void statementsSpanLinesWithComments() {
    assertThat(canonical("# smooth\nt = u[-1] + u[1] # neighbours\n; u' = u +\n  0.1*t;\n"))
        .isEqualTo("u' = u[0] + 0.1 * (u[-1] + u[1])");
  }

  @Test
  void theFirstBracketsTellTheNumberOfAxes() {
    assertThat(ProgramText.parse("u[1]").axes()).containsExactly("x");
    assertThat(ProgramText.parse("u' = min(u, u[1,-1])").axes()).containsExactly("x", "y");
    assertThat(ProgramText.parse("u[0,0,1] + z").axes()).containsExactly("x", "y", "z");
  }

  @Test
  void axesCanHaveNames() {
    StencilProgram program =
        ProgramText.parse("u' = row*d(u, column, 1, 2) + x", List.of("row", "column"));

    assertThat(program).hasToString("u' = row * (-0.5 * u[0,-1] + 0.5 * u[0,1]) + x");
    assertThat(program.parameters()).containsExactly("x");
  }

  /** Each: the text, the message before the line of text, and the column of the mark. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "u' = u[0,0] + * a   | 15 | unexpected \"*\"; write a number, a name or a parenthesis here",
        "u' = u[0,0] +       | 14 | the text ends too early; write a number, a name or a"
            + " parenthesis here",
        "u' = (u[0,0] + a    | 17 | expected \")\" but found the end; close the parenthesis",
        "u' = u[0,0] a       | 13 | unexpected \"a\"; separate statements by ; and multiply with *",
        "u' = 2u[0,0]        | 7  | unexpected \"u\"; separate statements by ; and multiply with *",
        "u' = u[0,0]^2       | 12 | unexpected character \"^\"; use names, numbers",
        "u' = u[0]           | 6  | u has 2 axes, but the offset [0] has 1; give one distance per"
            + " axis",
        "u' = u[0,0,0]       | 6  | u has 2 axes, but the offset [0, 0, 0] has 3; give one"
            + " distance",
        "u' = u[0,a]         | 10 | unexpected \"a\"; distances are whole cells: u[-1], say",
        "u' = u[0,1.5]       | 10 | unexpected \"1.5\"; distances are whole cells: u[-1], say",
        "u' = u[0,0          | 11 | expected \"]\" but found the end; close the bracket",
        "u' = u[0,2000]      | 6  | u[0, 2000] reaches 2000 cells, more than 1024; use windows",
        "u' = 1e999*u[0,0]   | 6  | constant Infinity is not finite; use finite numbers",
        "u' = u[0,0]/0       | 12 | division by the constant 0; use another divisor, or choose by"
            + " where",
        "u' = u[0,0] < 1     | 1  | u is set to a condition; choose numbers by it: where(u > 0, 1,"
            + " 0)",
        "u' = 1 + (u < 1)    | 8  | a condition is used as a number; choose numbers by it",
        "u' = where(u, 1, 2) | 6  | a number is used as a condition; compare it, as in u > 0",
        "u' = where(0 < u < 1, u, 2) | 18 | unexpected \"<\"; join comparisons by and: a < b and b"
            + " < c",
        "u' = blur(u[0,0])   | 6  | unknown function blur; use one of [abs, aspect, atan, atan2,"
            + " cos, d, exp, fma, focal_gaussian, focal_max,",
        "u' = sine(u[0,0])   | 6  | unknown function sine; did you mean sin? use one of [abs,",
        "u' = exp(u, 1)      | 6  | exp has 2 operands; it takes 1",
        "u' = atan2(u)       | 6  | atan2 has 1 operand; it takes 2",
        "u' = sin(u < 1)     | 6  | a condition is used as a number",
        "u' = fma(u, 1)      | 6  | fma has 2 operands; it takes 3",
        "u' = sqrt(u, 1)     | 6  | sqrt has 2 operands; it takes 1",
        "u' = min(u)         | 6  | min has 1 operand; it takes two or more",
        "u' = u[0,0] + min   | 15 | min has no operands; write min(...)",
        "u' = min(u[0,0], 1  | 19 | expected \")\" but found the end; close the operands of min",
        "u' = laplacian(2)   | 16 | laplacian takes a field; write its name alone",
        "u' = laplacian(u,3) | 6  | accuracy order 3 is odd; central differences have even orders,"
            + " use 4",
        "u' = laplacian(u,a) | 18 | unexpected \"a\"; the accuracy is 2, 4, 6, ...",
        "u' = d(u)           | 9  | expected \",\" but found \")\"; write d(u, axis, order,"
            + " accuracy)",
        "u' = d(u, w, 1)     | 11 | \"w\" is no axis; use one of [x, y]",
        "u' = d(u, x, 99)    | 6  | derivative order 99 is not in [1, 32]; choose one that is",
        "u' = u'             | 6  | u' is read before u is updated; write the update of u first, or"
            + " u for",
        "v' = u'[1,0]; u' = v | 6 | u' is read before u is updated; write the update of u first, or"
            + " u for",
        "u' = u[0,0]; u' = 1 | 14 | u is updated twice; give each field one update",
        "u = u[0,0] + 1      | 1  | u is a field; use another name, or u' for the new value of a"
            + " field",
        "x = 2; u' = x*u[0,0] | 1 | x is an axis; use another name, or x' for",
        "t = 2; t = 3; u' = t*u[0,0] | 8 | t is defined above; use another name",
        "w = t; t = 3; u' = w*u[0,0] | 8 | t is read above, before it is defined; move its"
            + " definition up",
        "max = 2; u' = u[0,0] | 1 | max has another meaning; use another name",
        "x' = x[0,0]         | 6  | x is an axis; use another name, or give the axes other names",
        "u[0,0] + v[0,0]     | 1  | the expression does not say which of the fields [u, v] it"
            + " updates; write",
        "1 + 2               | 1  | the expression reads no field; write u' = ...",
        "t = u[0,0]          | 1  | \"t = ...\" names a value, and nothing is updated; write an"
            + " update, u' = ...",
        "u = u + 1           | 1  | \"u = ...\" names a value, and nothing is updated; write an"
            + " update, u' = ...",
        "u' + u[0,0]         | 1  | unexpected \"u\"; write an update, u' = ...",
        "u[0,0]; u[1,0]      | 9  | unexpected \"u\"; write an update, u' = ..., or a name for a"
            + " value",
        "``                  | 1  | the text ends too early; write an update, u' = ...",
        "and' = u[0,0]       | 1  | and has a meaning in program texts; use another name"
      })
  void showsThePlaceOfAnErrorAndTheRemedy(String text, int column, String message) {
    assertThatThrownBy(() -> ProgramText.parse(text, 2))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageStartingWith("line 1, column %d: %s".formatted(column, message))
        .hasMessageEndingWith("%n  %s%n  %s^".formatted(text, " ".repeat(column - 1)));
  }

  @Test
  void anExpressionAloneIsTheValueOfANamedField() {
    assertThat(ProgramText.parseValue("u", "2*n + x", List.of("x")))
        .isEqualTo(ProgramText.parse("u' = 2*n + x", 1));
    assertThat(ProgramText.parseValue("u", "n", List.of("x")).parameters()).containsExactly("n");
    assertThat(ProgramText.parseValue("u", "v[1] + u", List.of("x")))
        .isEqualTo(ProgramText.parse("u' = v[1] + u", 1));
    assertThatThrownBy(() -> ProgramText.parseValue("u", "1 + v'", List.of("x")))
        .hasMessageStartingWith("line 1, column ");
    assertThatThrownBy(() -> ProgramText.parseValue("u", "", List.of("x")))
        .hasMessageStartingWith("line 1, column 1: the text ends too early");
  }

  @Test
  void showsTheLineAndKeepsTheMarkBelowItsWordAfterTabs() {
    assertThatThrownBy(() -> ProgramText.parse("t = 2;\r\n\tu' = u[0] + \"t;\r\nv' = 1"))
        .hasMessageStartingWith("line 2, column 14: unexpected character \"\"\"")
        .hasMessageEndingWith("%n  \tu' = u[0] + \"t;%n  \t            ^".formatted());
    assertThatThrownBy(() -> ProgramText.parse("u[0] +\n # and then?\n\n"))
        .hasMessageStartingWith("line 1, column 7: the text ends too early")
        .hasMessageEndingWith("%n  u[0] +%n        ^".formatted());
  }

  @Test
  void showsThePartOfALongLineAroundTheMark() {
    String text = "u[0]" + " + u[0]".repeat(40) + " $ 1" + " + u[0]".repeat(40);
    assertThatThrownBy(() -> ProgramText.parse(text))
        .hasMessageStartingWith("line 1, column 286: unexpected character \"$\"")
        .satisfies(
            e -> {
              List<String> lines = e.getMessage().lines().toList();
              assertThat(lines.get(1)).startsWith("  ...").endsWith("...").hasSizeLessThan(140);
              assertThat(lines.get(1).charAt(lines.get(2).length() - 1)).isEqualTo('$');
            });
  }

  @Test
  void countsCharactersAndNotTheirHalves() {
    assertThatThrownBy(() -> ProgramText.parse("u[0] # 😀\n + 😀"))
        .hasMessageStartingWith("line 2, column 4: unexpected character \"😀\"");
  }

  @Test
  void refusesTextsWhoseAxesAreUnknownOrTooMany() {
    assertThatThrownBy(() -> ProgramText.parse("u + 1"))
        .hasMessageStartingWith("line 1, column 1: no cell in brackets tells the number of axes;");
    assertThatThrownBy(() -> ProgramText.parse("u[0,0,0,0]"))
        .hasMessageStartingWith("line 1, column 2: a program with 4 axes; programs have 1 to 3");
  }

  @Test
  void nestsToALimit() {
    String open = "(".repeat(150);
    assertThat(canonical("u' = " + open + "u[0]" + ")".repeat(150))).isEqualTo("u' = u[0]");
    String deep = "u' = " + "(".repeat(250) + "u[0]" + ")".repeat(250);
    assertThatThrownBy(() -> ProgramText.parse(deep))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("nest at most 200 levels; name parts, t = ...");
  }

  @Test
  void aMillionTermsAreRefusedBeforeAnythingIsMadeOfThem() {
    String text = "u' = u[0]" + " + u[0]".repeat(1_000_000);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(() -> ProgramText.parse(text))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("more than 65536 words");

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(200L << 20);
  }

  @Test
  void aWordOfAMillionLettersIsNotRepeated() {
    assertThatThrownBy(() -> ProgramText.parse("u' = " + "v".repeat(1 << 20)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400))
        .hasMessageContaining("a word of 1048576 letters; use at most 255");
  }
}
