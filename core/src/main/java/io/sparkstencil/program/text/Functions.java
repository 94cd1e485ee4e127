/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.generate.Differences;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The functions of program texts. */
final class Functions {
  private static final String LAPLACIAN = "laplacian";
  private static final String DERIVATIVE = "d";

  private static final Map<String, Operation> OPERATIONS =
      Map.of(
          "min", Operation.MIN,
          "max", Operation.MAX,
          "abs", Operation.ABS,
          "sqrt", Operation.SQRT,
          "fma", Operation.FMA,
          "where", Operation.SELECT);

  /** Their last bits differ from machine to machine. */
  private static final Set<String> TRANSCENDENTAL =
      Set.of("exp", "log", "sin", "cos", "tan", "tanh", "pow", "atan");

  private Functions() {}

  static boolean exists(String name) {
    return OPERATIONS.containsKey(name) || differentiates(name);
  }

  /** Returns whether a function takes a field, and not its cells. */
  static boolean differentiates(String name) {
    return name.equals(LAPLACIAN) || name.equals(DERIVATIVE);
  }

  /** Reads the operands of a function, whose name has been read, and applies it. */
  static Expression call(Token name, Tokens tokens, Scope scope, ExpressionParser expressions) {
    if (!exists(name.text())) {
      throw tokens.problem(
          name,
          "unknown function " + name.text(),
          TRANSCENDENTAL.contains(name.text())
              ? "its bits differ between CPU and GPU: compute it beforehand, as a coefficient field"
              : "use one of " + names());
    }
    tokens.take();
    Expression result =
        differentiates(name.text())
            ? difference(name, tokens, scope, expressions)
            : operation(name, tokens, expressions);
    tokens.require(")", "close the operands of " + name.text());
    return result;
  }

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(OPERATIONS.keySet());
    names.add(LAPLACIAN);
    names.add(DERIVATIVE);
    return names;
  }

  private static Expression operation(Token name, Tokens tokens, ExpressionParser expressions) {
    Operation operation = OPERATIONS.get(name.text());
    List<Expression> operands = new ArrayList<>();
    do {
      operands.add(expressions.any());
    } while (tokens.takeIf(","));
    boolean folds = operation == Operation.MIN || operation == Operation.MAX;
    if (operands.size() != operation.arity() && !(folds && operands.size() > 2)) {
      throw tokens.problem(
          name,
          "%s has %d operand%s"
              .formatted(name.text(), operands.size(), operands.size() == 1 ? "" : "s"),
          "it takes " + (folds ? "two or more" : operation.arity()));
    }
    if (!folds) {
      return expressions.apply(name, operation, operands.toArray(Expression[]::new));
    }
    return operands.stream()
        .reduce((left, right) -> expressions.apply(name, operation, left, right))
        .orElseThrow();
  }

  private static Expression difference(
      Token name, Tokens tokens, Scope scope, ExpressionParser expressions) {
    Token fieldName = tokens.take();
    if (fieldName.kind() != Token.WordClass.NAME) {
      throw tokens.problem(
          fieldName, "%s takes a field".formatted(name.text()), "write its name alone");
    }
    Field field = scope.field(fieldName);
    if (name.text().equals(LAPLACIAN)) {
      int accuracy = tokens.takeIf(",") ? expressions.integer("the accuracy is 2, 4, 6, ...") : 2;
      return tokens.locate(name, () -> Differences.laplacian(field, accuracy));
    }
    tokens.require(",", "write d(u, axis, order, accuracy)");
    int axis = scope.axis(tokens.take());
    int order = tokens.takeIf(",") ? expressions.integer("the order is 1, 2, ...") : 1;
    int accuracy = tokens.takeIf(",") ? expressions.integer("the accuracy is 2, 4, 6, ...") : 2;
    return tokens.locate(name, () -> Differences.derivative(field, axis, order, accuracy));
  }
}
