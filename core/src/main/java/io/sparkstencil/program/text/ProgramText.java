/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import java.util.List;

/**
 * Programs as text:
 *
 * <pre>
 * u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)
 * </pre>
 *
 * <ul>
 *   <li>Statements are separated by {@code ;} and {@code u' = ...} gives the field {@code u} its
 *       new value. An expression alone, as the last statement, is the new value of the only field.
 *   <li>{@code u[-1,0]} is the cell of {@code u} at a distance, slowest axis first; {@code u} is
 *       the cell itself. A name with brackets or an update is a field; {@code x}, {@code y} and
 *       {@code z} are positions; a name that is assigned, {@code t = u*u}, stands for its
 *       expression; every other name is a parameter. {@code u'[1,0]} reads what an earlier
 *       statement wrote.
 *   <li>Operations are {@code + - * /}, {@code < <= > >= == !=}, {@code and or not}, {@code
 *       where(condition, a, b)}, {@code min}, {@code max}, {@code abs}, {@code sqrt}, {@code fma(a,
 *       b, c)}, {@code laplacian(u, accuracy)} and {@code d(u, axis, order, accuracy)}. They are
 *       applied from left to right, as written.
 * </ul>
 *
 * A program's {@code toString} is such a text. Reading it with the names of the program's axes
 * gives the same updates; boundaries and accuracy are no part of the text.
 *
 * <pre>{@code
 * StencilProgram heat = ProgramText.parse("u' = u + a*laplacian(u, 2)");
 * }</pre>
 */
public final class ProgramText {
  private ProgramText() {}

  /**
   * Returns the program that a text writes. The number of axes is that of the distances in its
   * first brackets.
   *
   * @throws InvalidStencilException with the line and column if the text is not a program
   */
  public static StencilProgram parse(String text) {
    Tokens tokens = new Tokens(requireNonNull(text, "text is null"));
    return new ProgramParser(tokens, StencilProgram.axes(dimensions(tokens))).parse();
  }

  /**
   * Returns the program that a text writes, in a number of dimensions; its axes are called x, y and
   * z.
   */
  public static StencilProgram parse(String text, int dimensions) {
    return parse(text, StencilProgram.axes(dimensions));
  }

  /** Returns the program that a text writes, with its own names of axes, slowest first. */
  public static StencilProgram parse(String text, List<String> axes) {
    return new ProgramParser(new Tokens(requireNonNull(text, "text is null")), axes).parse();
  }

  /**
   * Returns the program that gives a field the value of an expression, which need not read any
   * field. So callers that take an expression alone need no text of their own around it, and errors
   * tell places in the expression.
   *
   * @throws InvalidStencilException with the line and column if the text is not one expression
   */
  public static StencilProgram parseValue(String field, String expression, List<String> axes) {
    Tokens tokens = new Tokens(requireNonNull(expression, "expression is null"));
    return new ProgramParser(tokens, axes).parseValue(field);
  }

  private static int dimensions(Tokens tokens) {
    Token bracket = null;
    int distances = 1;
    for (Token token : tokens.all()) {
      if (bracket == null) {
        bracket = token.is("[") ? token : null;
      } else if (token.is(",")) {
        distances++;
      } else if (token.is("]")) {
        break;
      }
    }
    if (bracket == null) {
      throw tokens.problem(
          tokens.peek(),
          "no cell in brackets tells the number of axes",
          "write u[0,0], say, or give the names of the axes");
    }
    int axes = distances;
    tokens.locate(bracket, () -> StencilProgram.axes(axes));
    return axes;
  }
}
