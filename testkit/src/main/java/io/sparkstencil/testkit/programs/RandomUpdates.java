/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ProgramBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Writes the updates of one program at random. */
final class RandomUpdates {
  private static final int MOST_DEPTH = 6;

  private static final List<Operation> CONDITIONS =
      Stream.of(Operation.values()).filter(Operation::isCondition).toList();
  private static final List<Operation> NUMBERS =
      Stream.of(Operation.values()).filter(operation -> !operation.isCondition()).toList();
  private static final List<Operation> COMMON =
      List.of(Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY);

  private static final double[] CONSTANTS = {
    0, -0.0, 1, -1, 2, -3, 0.5, 0.1, -0.25, 1e-3, 1.0 / 3, 1e10, -1e-40, 1e300, Double.MIN_VALUE
  };

  private final Random random;
  private final List<String> axes;
  private final ProgramBuilder builder;
  private final List<Field> updated = new ArrayList<>();
  private final List<Field> fields = new ArrayList<>();
  private final List<String> parameters;

  /** Parts that were written before: used again, they are shared. */
  private final List<Expression> written = new ArrayList<>();

  RandomUpdates(Random random, List<String> axes, ProgramBuilder builder) {
    this.random = random;
    this.axes = axes;
    this.builder = builder;
    parameters = List.of("dt", "a", "d").subList(0, random.nextInt(4));
  }

  void write() {
    List<String> names = List.of("u", "v", "w", "p").subList(0, 1 + random.nextInt(4));
    names.forEach(name -> fields.add(builder.field(name)));
    for (String name : List.of("c", "k_2").subList(0, random.nextInt(3))) {
      fields.add(builder.field(name));
    }
    for (String name : names) {
      Field field = builder.field(name);
      builder.update(field, expression(1 + random.nextInt(MOST_DEPTH), false));
      updated.add(field);
    }
  }

  private Expression expression(int depth, boolean condition) {
    if (!written.isEmpty() && random.nextInt(5) == 0) {
      Expression again = written.get(random.nextInt(written.size()));
      if (again.isCondition() == condition) {
        return again;
      }
    }
    Expression expression =
        depth > 0 || condition ? apply(operation(condition, depth), depth) : leaf();
    written.add(expression);
    return expression;
  }

  private Operation operation(boolean condition, int depth) {
    if (condition) {
      // a comparison ends a condition
      List<Operation> choice =
          depth > 0 ? CONDITIONS : CONDITIONS.stream().filter(Operation::compares).toList();
      return choice.get(random.nextInt(choice.size()));
    }
    List<Operation> choice = random.nextBoolean() ? COMMON : NUMBERS;
    return choice.get(random.nextInt(choice.size()));
  }

  private Expression apply(Operation operation, int depth) {
    List<Expression> operands = new ArrayList<>();
    for (int i = 0; i < operation.arity(); i++) {
      int less = 1 + random.nextInt(2);
      operands.add(expression(Math.max(0, depth - less), operation.takesCondition(i)));
    }
    if (operation == Operation.DIVIDE && operands.get(1) instanceof Expression.Constant) {
      operands.set(1, Expression.constant(random.nextBoolean() ? 4 : -0.3));
    }
    return new Expression.Apply(operation, operands);
  }

  private Expression leaf() {
    int choice = random.nextInt(20);
    if (choice < 3) {
      return Expression.constant(CONSTANTS[random.nextInt(CONSTANTS.length)]);
    }
    if (choice < 4 && !parameters.isEmpty()) {
      return builder.parameter(parameters.get(random.nextInt(parameters.size())));
    }
    if (choice < 5) {
      return builder.coordinate(random.nextInt(axes.size()));
    }
    int[] offset = new int[axes.size()];
    for (int axis = 0; axis < offset.length; axis++) {
      offset[axis] = distance();
    }
    if (choice < 9 && !updated.isEmpty()) {
      return updated.get(random.nextInt(updated.size())).updated(offset);
    }
    return fields.get(random.nextInt(fields.size())).at(offset);
  }

  private int distance() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4, 5 -> 0;
      case 6, 7 -> 1;
      case 8, 9 -> -1;
      case 10 -> random.nextInt(5) - 2;
      default -> random.nextInt(19) - 9;
    };
  }
}
