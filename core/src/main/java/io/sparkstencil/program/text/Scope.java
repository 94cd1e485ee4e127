/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.ProgramBuilder;
import io.sparkstencil.program.ProgramNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the names of a program's text mean. */
final class Scope {
  private final Tokens tokens;
  private final List<String> axes;
  private final Set<String> fields;
  private final ProgramBuilder builder;
  private final Map<String, Expression> values = new HashMap<>();
  private final Map<String, Integer> readAt = new HashMap<>(); // parameters
  private final Set<String> updated = new HashSet<>();

  Scope(Tokens tokens, List<String> axes, Set<String> fields, ProgramBuilder builder) {
    this.tokens = tokens;
    this.axes = axes;
    this.fields = fields;
    this.builder = builder;
  }

  /** Lets a name stand for an expression from here on. */
  void define(Token name, Expression value) {
    boolean readAbove = readAt.getOrDefault(name.text(), name.at()) < name.at();
    String taken =
        fields.contains(name.text())
            ? "a field"
            : axes.contains(name.text())
                ? "an axis"
                : values.containsKey(name.text())
                    ? "defined above"
                    : readAbove ? "read above, before it is defined" : null;
    if (taken != null || ProgramNames.isReserved(name.text())) {
      throw tokens.problem(
          name,
          "%s %s".formatted(name.text(), taken == null ? "has another meaning" : "is " + taken),
          readAbove
              ? "move its definition up"
              : "use another name, or %s' for the new value of a field".formatted(name.text()));
    }
    values.put(name.text(), value);
  }

  boolean isField(Token name) {
    return fields.contains(name.text());
  }

  /** Returns the field of a name. */
  Field field(Token name) {
    return tokens.locate(name, () -> builder.field(name.text()));
  }

  /** Returns the index of an axis by its name. */
  int axis(Token name) {
    int axis = axes.indexOf(name.text());
    if (axis < 0) {
      throw tokens.problem(name, Tokens.found(name) + " is no axis", "use one of " + axes);
    }
    return axis;
  }

  /** Returns the name of the only field, for an expression that does not say what it updates. */
  Token onlyField(Token start) {
    if (fields.size() != 1) {
      throw tokens.problem(
          start,
          fields.isEmpty()
              ? "the expression reads no field"
              : "the expression does not say which of the fields %s it updates".formatted(fields),
          "write u' = ..., with the name of the field");
    }
    return new Token(Token.WordClass.NAME, fields.iterator().next(), start.at());
  }

  /** Returns what a name that is no field stands for. */
  Expression value(Token name) {
    Expression value = values.get(name.text());
    if (value != null) {
      return value;
    }
    if (axes.contains(name.text())) {
      return builder.coordinate(axes.indexOf(name.text()));
    }
    if (ProgramNames.isReserved(name.text())) {
      throw tokens.problem(
          name, "%s has no operands".formatted(name.text()), "write " + name.text() + "(...)");
    }
    readAt.putIfAbsent(name.text(), name.at());
    return builder.parameter(name.text());
  }

  /** Notes that a field has its new value from here on. */
  void update(Token name, Expression value) {
    Field field = field(name);
    tokens.locate(
        name,
        () -> {
          builder.update(field, value);
          return updated.add(field.name());
        });
  }

  /** Checks that a field has its new value. */
  void requireUpdated(Token name) {
    if (!updated.contains(name.text())) {
      throw tokens.problem(
          name,
          "%s' is read before %s is updated".formatted(name.text(), name.text()),
          "write the update of %s first, or %s for the old value"
              .formatted(name.text(), name.text()));
    }
  }
}
