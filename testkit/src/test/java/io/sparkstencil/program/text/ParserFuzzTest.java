/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts at random: each is a program, or an error that shows the place. */
final class ParserFuzzTest {
  private static final List<String> WORDS =
      List.of(
          "u",
          "u'",
          "v",
          "x",
          "y",
          "t",
          "d",
          "laplacian",
          "min",
          "max",
          "where",
          "sqrt",
          "fma",
          "sin",
          "atan2",
          "focal_mean",
          "slope",
          "and",
          "or",
          "not",
          "[",
          "]",
          "(",
          ")",
          ",",
          ";",
          "=",
          "==",
          "<",
          "<=",
          ">",
          "!=",
          "+",
          "-",
          "*",
          "/",
          "'",
          "0",
          "1",
          "-1",
          "2.5",
          "1e999",
          "1e-3",
          ".",
          "[0,0]",
          "[1,-1]",
          "u[0,0]",
          "u' =",
          "\n",
          "\t",
          "# c",
          "é",
          "😀",
          "\\",
          "\0",
          "99999999999");

  /** Of all errors, that of a program that is too long is the only one without a place. */
  private static final String PLACE_OR_LENGTH =
      "(?s)line \\d+, column \\d+: .*\\S; .*\\^|the program has more than 4096 .*; split it .*";

  private static void requireProgramOrPlace(String text) {
    try {
      StencilProgram program = ProgramText.parse(text, 2);
      assertThat(ProgramText.parse(program.toString(), 2)).isEqualTo(program);
    } catch (InvalidStencilException e) {
      assertThat(e.getMessage()).matches(PLACE_OR_LENGTH);
    }
  }

  @Test
  void wordsInAnyOrderAreAProgramOrAnError() {
    Random random = new Random(1);
    for (int i = 0; i < 6_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "u' = u[0,0] + " : "");
      int words = random.nextInt(16);
      for (int w = 0; w < words; w++) {
        text.append(WORDS.get(random.nextInt(WORDS.size())));
        text.append(random.nextBoolean() ? " " : "");
      }
      requireProgramOrPlace(text.toString());
      try {
        ProgramText.parse(text.toString());
      } catch (InvalidStencilException e) {
        assertThat(e.getMessage()).startsWith("line ");
      }
    }
  }

  @Test
  void damagedProgramsAreAProgramOrAnError() {
    Random random = new Random(2);
    RandomPrograms programs = new RandomPrograms(2);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder(programs.next().toString());
      for (int damages = 1 + random.nextInt(3); damages > 0 && text.length() > 1; damages--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, WORDS.get(random.nextInt(WORDS.size())));
          default -> text.setCharAt(at, (char) random.nextInt(128));
        }
      }
      requireProgramOrPlace(text.toString());
    }
  }

  @Test
  void hostileTextsEndInAnErrorAndNotInAFullStack() {
    for (String part : List.of("(", "-", "not ", "min(", "where(", "u[", "-(", "+", "abs(-")) {
      requireProgramOrPlace("u' = " + part.repeat(100_000));
    }
    requireProgramOrPlace("u' = u[0,0]" + " + u[0,0]".repeat(20_000));
    requireProgramOrPlace("u' = " + "a - ".repeat(100_000) + "a");
    requireProgramOrPlace("u[0,0];".repeat(100_000));
  }
}
