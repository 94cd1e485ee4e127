/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the text of a program, with no more parentheses than the order of operations needs.
 * Operations that are used more than once are given names. Reading the text gives the same program.
 */
final class ProgramPrinter {
  private static final int CONDITION_OR = 1;
  private static final int CONDITION_AND = 2;
  private static final int CONDITION_NOT = 3;
  private static final int COMPARISON = 4;
  private static final int SUM = 5;
  private static final int PRODUCT = 6;
  private static final int SIGN = 7;
  private static final int ATOM = 8;

  private final StencilProgram program;
  private final int[] uses;
  private final Map<Integer, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final List<String> statements = new ArrayList<>();

  private ProgramPrinter(StencilProgram program) {
    this.program = program;
    uses = new int[program.nodes().size()];
    program.nodes().forEach(node -> node.inputs().forEach(input -> uses[input]++));
    program.updates().forEach(update -> uses[update.node()]++);
    taken.addAll(program.fields());
    taken.addAll(program.parameters());
    taken.addAll(program.axes());
  }

  static String print(StencilProgram program) {
    ProgramPrinter printer = new ProgramPrinter(program);
    int next = 0;
    for (Update update : program.updates()) {
      // graphs number nodes in the order of updates: those up to the update's own may be needed
      for (; next <= update.node(); next++) {
        printer.name(next);
      }
      printer.statements.add(
          program.fields().get(update.field()) + "' = " + printer.text(update.node(), 0));
    }
    return String.join("; ", printer.statements);
  }

  private void name(int node) {
    if (uses[node] < 2 || !(program.nodes().get(node) instanceof Node.Apply)) {
      return;
    }
    String text = text(node, 0);
    int number = names.size() + 1;
    while (!taken.add("t" + number)) {
      number++;
    }
    names.put(node, "t" + number);
    statements.add("t" + number + " = " + text);
  }

  /** Returns the text of a node, in parentheses if it binds less than {@code binding}. */
  private String text(int index, int binding) {
    if (names.containsKey(index)) {
      return names.get(index);
    }
    Node node = program.nodes().get(index);
    String text;
    int own = ATOM;
    if (node instanceof Node.Tap tap) {
      text =
          program.fields().get(tap.field())
              + (tap.updated() ? "'" : "")
              + tap.offset().stream()
                  .map(String::valueOf)
                  .collect(Collectors.joining(",", "[", "]"));
    } else if (node instanceof Node.Constant constant) {
      text = number(constant.value());
      own = text.startsWith("-") ? SIGN : ATOM;
    } else if (node instanceof Node.Parameter parameter) {
      text = program.parameters().get(parameter.index());
    } else if (node instanceof Node.Coordinate coordinate) {
      text = program.axes().get(coordinate.axis());
    } else {
      Node.Apply apply = (Node.Apply) node;
      own = binding(apply.operation());
      text = operation(apply);
    }
    return own < binding ? "(" + text + ")" : text;
  }

  private static int binding(Operation operation) {
    return switch (operation) {
      case OR -> CONDITION_OR;
      case AND -> CONDITION_AND;
      case NOT -> CONDITION_NOT;
      case LESS, LESS_OR_EQUAL, EQUAL -> COMPARISON;
      case ADD, SUBTRACT -> SUM;
      case MULTIPLY, DIVIDE -> PRODUCT;
      case NEGATE -> SIGN;
      case ABS, SQRT, MIN, MAX, FMA, SELECT -> ATOM;
    };
  }

  private String operation(Node.Apply apply) {
    return switch (apply.operation()) {
      case OR -> infix(apply, " or ");
      case AND -> infix(apply, " and ");
      case LESS -> infix(apply, " < ");
      case LESS_OR_EQUAL -> infix(apply, " <= ");
      case EQUAL -> infix(apply, " == ");
      case ADD -> infix(apply, " + ");
      case SUBTRACT -> infix(apply, " - ");
      case MULTIPLY -> infix(apply, " * ");
      case DIVIDE -> infix(apply, " / ");
      case NOT -> "not " + text(apply.operands().get(0), CONDITION_NOT);
      // a constant in parentheses keeps the operation apart from a negative constant
      case NEGATE ->
          program.nodes().get(apply.operands().get(0)) instanceof Node.Constant constant
              ? "-(" + number(constant.value()) + ")"
              : "-" + text(apply.operands().get(0), ATOM);
      case ABS -> call("abs", apply);
      case SQRT -> call("sqrt", apply);
      case MIN -> call("min", apply);
      case MAX -> call("max", apply);
      case FMA -> call("fma", apply);
      case SELECT -> call("where", apply);
    };
  }

  /** Operations apply from left to right: an operand on the right must bind more. */
  private String infix(Node.Apply apply, String sign) {
    int own = binding(apply.operation());
    int left = own == COMPARISON ? own + 1 : own;
    return text(apply.operands().get(0), left) + sign + text(apply.operands().get(1), own + 1);
  }

  private String call(String function, Node.Apply apply) {
    return apply.operands().stream()
        .map(operand -> text(operand, 0))
        .collect(Collectors.joining(", ", function + "(", ")"));
  }

  private static String number(double value) {
    String text = Double.toString(value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
