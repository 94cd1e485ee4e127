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
 * Operations that are used more than once are given names, and so are parts that would nest deeper
 * than readers of the text can follow. Reading the text gives the same program.
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

  /** Parentheses in parentheses, fewer than the parser allows. */
  private static final int MOST_NESTED = 60;

  /** Operations on operations, so that recursion is bounded in long sums, too. */
  private static final int MOST_OPERATIONS = 400;

  private final StencilProgram program;
  private final int[] uses;

  /** For each node, how deep its text nests, and how many operations follow one another in it. */
  private final int[] nested;

  private final int[] operations;
  private final Map<Integer, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final List<String> statements = new ArrayList<>();

  private ProgramPrinter(StencilProgram program) {
    this.program = program;
    uses = new int[program.nodes().size()];
    nested = new int[uses.length];
    operations = new int[uses.length];
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
    if (!(program.nodes().get(node) instanceof Node.Apply apply)) {
      return;
    }
    measure(node, apply);
    if (uses[node] < 2 && nested[node] < MOST_NESTED && operations[node] < MOST_OPERATIONS) {
      return;
    }
    String text = text(node, 0);
    nested[node] = 0;
    operations[node] = 0;
    int number = names.size() + 1;
    while (!taken.add("t" + number)) {
      number++;
    }
    names.put(node, "t" + number);
    statements.add("t" + number + " = " + text);
  }

  private void measure(int node, Node.Apply apply) {
    int own = binding(apply.operation());
    boolean opens = own == ATOM || own == SIGN || own == CONDITION_NOT;
    for (int i = 0; i < apply.operands().size(); i++) {
      int operand = apply.operands().get(i);
      boolean encloses =
          program.nodes().get(operand) instanceof Node.Apply inner
              && !names.containsKey(operand)
              && binding(inner.operation()) < required(apply.operation(), i);
      nested[node] = Math.max(nested[node], nested[operand] + (opens ? 1 : 0) + (encloses ? 1 : 0));
      operations[node] = Math.max(operations[node], operations[operand] + 1);
    }
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
      case NOT -> "not " + operand(apply, 0);
      // a constant in parentheses keeps the operation apart from a negative constant
      case NEGATE ->
          program.nodes().get(apply.operands().get(0)) instanceof Node.Constant constant
              ? "-(" + number(constant.value()) + ")"
              : "-" + operand(apply, 0);
      case ABS -> call("abs", apply);
      case SQRT -> call("sqrt", apply);
      case MIN -> call("min", apply);
      case MAX -> call("max", apply);
      case FMA -> call("fma", apply);
      case SELECT -> call("where", apply);
    };
  }

  private String infix(Node.Apply apply, String sign) {
    return operand(apply, 0) + sign + operand(apply, 1);
  }

  private String operand(Node.Apply apply, int index) {
    return text(apply.operands().get(index), required(apply.operation(), index));
  }

  /**
   * Returns how strongly an operand must bind to stand without parentheses. Operations apply from
   * left to right: one on the right must bind more, and comparisons do not follow one another.
   */
  private static int required(Operation operation, int operand) {
    int own = binding(operation);
    return switch (own) {
      case ATOM -> 0;
      case SIGN -> ATOM;
      case CONDITION_NOT -> CONDITION_NOT;
      case COMPARISON -> COMPARISON + 1;
      default -> own + operand;
    };
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
