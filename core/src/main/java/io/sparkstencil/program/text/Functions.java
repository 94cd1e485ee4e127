/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.error.NearestName;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.generate.Differences;
import io.sparkstencil.program.generate.Elementary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

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

  private static final Map<String, UnaryOperator<Expression>> ELEMENTARY =
      Map.of(
          "sin", Elementary::sin,
          "cos", Elementary::cos,
          "exp", Elementary::exp,
          "log", Elementary::log,
          "tanh", Elementary::tanh,
          "atan", Elementary::atan);

  private static final String ATAN2 = "atan2";

  private Functions() {}

  static boolean exists(String name) {
    return names().contains(name);
  }

  /** Returns whether a function takes a field, and not its cells. */
  static boolean takesField(String name) {
    return name.equals(LAPLACIAN)
        || name.equals(DERIVATIVE)
        || FieldFunctions.names().contains(name);
  }

  /** Reads the operands of a function, whose name has been read, and applies it. */
  static Expression call(Token name, Tokens tokens, Scope scope, ExpressionParser expressions) {
    if (!exists(name.text())) {
      String meant =
          NearestName.of(name.text(), names()).map("did you mean %s? "::formatted).orElse("");
      throw tokens.problem(
          name, "unknown function " + name.text(), meant + "use one of " + names());
    }
    tokens.take();
    Expression result =
        takesField(name.text())
            ? ofField(name, tokens, scope, expressions)
            : operation(name, tokens, expressions);
    tokens.require(")", "close the operands of " + name.text());
    return result;
  }

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(OPERATIONS.keySet());
    names.addAll(ELEMENTARY.keySet());
    names.addAll(FieldFunctions.names());
    names.addAll(List.of(ATAN2, LAPLACIAN, DERIVATIVE));
    return names;
  }

  private static Expression operation(Token name, Tokens tokens, ExpressionParser expressions) {
    Operation operation = OPERATIONS.get(name.text());
    List<Expression> operands = new ArrayList<>();
    do {
      operands.add(expressions.any());
    } while (tokens.takeIf(","));
    boolean folds = operation == Operation.MIN || operation == Operation.MAX;
    int arity = operation != null ? operation.arity() : ELEMENTARY.containsKey(name.text()) ? 1 : 2;
    if (operands.size() != arity && !(folds && operands.size() > 2)) {
      throw tokens.problem(
          name,
          "%s has %d operand%s"
              .formatted(name.text(), operands.size(), operands.size() == 1 ? "" : "s"),
          "it takes " + (folds ? "two or more" : arity));
    }
    if (operation == null) {
      return tokens.locate(name, () -> elementary(name.text(), operands));
    }
    if (!folds) {
      return expressions.apply(name, operation, operands.toArray(Expression[]::new));
    }
    return operands.stream()
        .reduce((left, right) -> expressions.apply(name, operation, left, right))
        .orElseThrow();
  }

  private static Expression elementary(String name, List<Expression> operands) {
    return name.equals(ATAN2)
        ? Elementary.atan2(operands.get(0), operands.get(1))
        : ELEMENTARY.get(name).apply(operands.get(0));
  }

  private static Expression ofField(
      Token name, Tokens tokens, Scope scope, ExpressionParser expressions) {
    Token fieldName = tokens.take();
    if (fieldName.kind() != Token.WordClass.NAME) {
      throw tokens.problem(
          fieldName, "%s takes a field".formatted(name.text()), "write its name alone");
    }
    Field field = scope.field(fieldName);
    if (FieldFunctions.names().contains(name.text())) {
      return FieldFunctions.call(name, tokens, field, expressions);
    }
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
