/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static io.sparkstencil.program.text.Token.WordClass.NAME;
import static io.sparkstencil.program.text.Token.WordClass.NUMBER;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Reads an expression by recursive descent; operations apply from left to right. */
final class ExpressionParser {
  static final Set<String> WORDS = Set.of("and", "or", "not");

  private static final Set<String> COMPARISONS = Set.of("<", "<=", ">", ">=", "==", "!=");

  /** Bounds the recursion, so that hostile texts end in an error. */
  private static final int MAX_DEPTH = 200;

  private final Tokens tokens;
  private final Scope scope;
  private int depth;

  ExpressionParser(Tokens tokens, Scope scope) {
    this.tokens = tokens;
    this.scope = scope;
  }

  /** Reads a number or a condition. */
  Expression any() {
    return nested(this::disjunction);
  }

  private Expression disjunction() {
    Expression left = conjunction();
    while (tokens.peek().is("or")) {
      Token sign = tokens.take();
      Expression right = conjunction();
      left = apply(sign, Operation.OR, left, right);
    }
    return left;
  }

  private Expression conjunction() {
    Expression left = negation();
    while (tokens.peek().is("and")) {
      Token sign = tokens.take();
      Expression right = negation();
      left = apply(sign, Operation.AND, left, right);
    }
    return left;
  }

  private Expression negation() {
    if (!tokens.peek().is("not")) {
      return comparison();
    }
    Token sign = tokens.take();
    return nested(() -> apply(sign, Operation.NOT, negation()));
  }

  private Expression comparison() {
    Expression left = sum();
    Token sign = tokens.peek();
    if (!COMPARISONS.contains(sign.text())) {
      return left;
    }
    tokens.take();
    Expression right = sum();
    if (COMPARISONS.contains(tokens.peek().text())) {
      throw tokens.unexpected("join comparisons by and: a < b and b < c");
    }
    return switch (sign.text()) {
      case "<" -> apply(sign, Operation.LESS, left, right);
      case "<=" -> apply(sign, Operation.LESS_OR_EQUAL, left, right);
      case ">" -> apply(sign, Operation.LESS, right, left);
      case ">=" -> apply(sign, Operation.LESS_OR_EQUAL, right, left);
      case "==" -> apply(sign, Operation.EQUAL, left, right);
      default -> apply(sign, Operation.NOT, apply(sign, Operation.EQUAL, left, right));
    };
  }

  private Expression sum() {
    Expression left = product();
    while (tokens.peek().is("+") || tokens.peek().is("-")) {
      Token sign = tokens.take();
      Expression right = product();
      left = apply(sign, sign.is("+") ? Operation.ADD : Operation.SUBTRACT, left, right);
    }
    return left;
  }

  private Expression product() {
    Expression left = signed();
    while (tokens.peek().is("*") || tokens.peek().is("/")) {
      Token sign = tokens.take();
      Expression right = signed();
      left = apply(sign, sign.is("*") ? Operation.MULTIPLY : Operation.DIVIDE, left, right);
    }
    return left;
  }

  private Expression signed() {
    if (tokens.takeIf("+")) {
      return nested(this::signed);
    }
    if (!tokens.peek().is("-")) {
      return atom();
    }
    Token sign = tokens.take();
    if (tokens.peek().kind() == NUMBER) {
      return number(-1);
    }
    return nested(() -> apply(sign, Operation.NEGATE, signed()));
  }

  private Expression nested(Supplier<Expression> reader) {
    if (++depth > MAX_DEPTH) {
      throw tokens.unexpected("nest at most %d levels; name parts, t = ...".formatted(MAX_DEPTH));
    }
    Expression read = reader.get();
    depth--;
    return read;
  }

  private Expression atom() {
    Token token = tokens.peek();
    if (token.kind() == NUMBER) {
      return number(1);
    }
    if (tokens.takeIf("(")) {
      Expression inside = any();
      tokens.require(")", "close the parenthesis");
      return inside;
    }
    if (token.kind() != NAME || WORDS.contains(token.text())) {
      throw tokens.unexpected("write a number, a name or a parenthesis here");
    }
    tokens.take();
    if (tokens.peek().is("(")) {
      return Functions.call(token, tokens, scope, this);
    }
    return scope.isField(token) ? cell(token) : scope.value(token);
  }

  private Expression number(int sign) {
    Token token = tokens.take();
    return tokens.locate(token, () -> Expression.constant(sign * Double.parseDouble(token.text())));
  }

  /** Reads what follows the name of a field: a prime, and distances in brackets. */
  private Expression cell(Token name) {
    Field field = scope.field(name);
    boolean updated = tokens.peek().is("'");
    if (updated) {
      scope.requireUpdated(name);
      tokens.take();
    }
    List<Integer> offset = new ArrayList<>();
    if (tokens.takeIf("[")) {
      do {
        offset.add(integer("distances are whole cells: u[-1], say"));
      } while (tokens.takeIf(","));
      tokens.require("]", "close the bracket after one distance per axis");
    } else if (!updated) {
      return field.here();
    }
    int[] distances = offset.stream().mapToInt(Integer::intValue).toArray();
    return tokens.locate(name, () -> updated ? field.updated(distances) : field.at(distances));
  }

  /** Reads a whole number with an optional sign. */
  int integer(String remedy) {
    boolean negative = tokens.takeIf("-");
    if (!negative) {
      tokens.takeIf("+");
    }
    Token token = tokens.peek();
    if (token.kind() != NUMBER || !token.text().matches("[0-9]{1,9}")) {
      throw tokens.unexpected(remedy);
    }
    tokens.take();
    int value = Integer.parseInt(token.text());
    return negative ? -value : value;
  }

  /** Reads a number with an optional sign, which is no expression. */
  double decimal(String remedy) {
    boolean negative = tokens.takeIf("-");
    if (!negative) {
      tokens.takeIf("+");
    }
    if (tokens.peek().kind() != NUMBER) {
      throw tokens.unexpected(remedy);
    }
    double value = Double.parseDouble(tokens.take().text());
    return negative ? -value : value;
  }

  /** Applies an operation; its sign is where an error is shown. */
  Expression apply(Token sign, Operation operation, Expression... operands) {
    return tokens.locate(sign, () -> new Expression.Apply(operation, List.of(operands)));
  }
}
