/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static io.sparkstencil.program.text.Token.WordClass.END;
import static io.sparkstencil.program.text.Token.WordClass.NAME;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.StencilProgram;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the statements of a program; see {@link ProgramText}. */
final class ProgramParser {
  private final Tokens tokens;
  private final List<String> axes;

  ProgramParser(Tokens tokens, List<String> axes) {
    this.tokens = tokens;
    this.axes = axes;
  }

  StencilProgram parse() {
    if (tokens.peek().kind() == END) {
      throw tokens.unexpected("write an update, u' = ...");
    }
    Set<String> fields = fields(Set.of());
    Token first = tokens.peek();
    return StencilProgram.of(
        axes,
        builder -> {
          Scope scope = new Scope(tokens, axes, fields, builder);
          boolean updated = false;
          do {
            updated |= statement(scope, updated);
          } while (tokens.takeIf(";") && tokens.peek().kind() != END);
          if (tokens.peek().kind() != END) {
            throw tokens.unexpected("separate statements by ; and multiply with *");
          }
          if (!updated) {
            throw tokens.problem(
                first,
                "\"%s = ...\" names a value, and nothing is updated".formatted(first.text()),
                "write an update, u' = ...");
          }
        });
  }

  /** Reads an expression, which is all of the text, as the new value of a field. */
  StencilProgram parseValue(String field) {
    Set<String> fields = fields(Set.of(field));
    return StencilProgram.of(
        axes,
        builder -> {
          Scope scope = new Scope(tokens, axes, fields, builder);
          Token name = new Token(NAME, field, tokens.peek().at());
          scope.update(name, new ExpressionParser(tokens, scope).any());
          if (tokens.peek().kind() != END) {
            throw tokens.unexpected("write one expression and multiply with *");
          }
        });
  }

  /** Reads a statement and returns whether it updates a field. */
  private boolean statement(Scope scope, boolean updatedBefore) {
    ExpressionParser expressions = new ExpressionParser(tokens, scope);
    Token name = tokens.peek();
    if (name.kind() == NAME && tokens.peek(1).is("=")) {
      tokens.skip(2);
      scope.define(name, expressions.any());
      return false;
    }
    if (name.kind() == NAME && tokens.peek(1).is("'") && tokens.peek(2).is("=")) {
      tokens.skip(3);
      scope.update(name, expressions.any());
      return true;
    }
    if (updatedBefore || (name.kind() == NAME && tokens.peek(1).is("'"))) {
      throw tokens.unexpected("write an update, u' = ..., or a name for a value, t = ...");
    }
    Expression value = expressions.any();
    scope.update(scope.onlyField(name), value);
    return true;
  }

  /**
   * Finds the names of fields: those that are known, those before a bracket or a prime, and those
   * that are differentiated. Where there are none, the only name that has no other meaning is a
   * field.
   */
  private Set<String> fields(Set<String> known) {
    Set<String> fields = new LinkedHashSet<>(known);
    Set<String> others = new LinkedHashSet<>();
    Set<String> assigned = new LinkedHashSet<>();
    for (int i = 0; tokens.peek(i).kind() != END; i++) {
      Token token = tokens.peek(i);
      if (token.kind() != NAME) {
        continue;
      }
      Token after = tokens.peek(i + 1);
      if (after.is("[") || after.is("'")) {
        fields.add(token.text());
      } else if (Functions.takesField(token.text()) && after.is("(")) {
        if (tokens.peek(i + 2).kind() == NAME) {
          fields.add(tokens.peek(i + 2).text());
        }
      } else if (after.is("=")) {
        assigned.add(token.text());
      } else if (!after.is("(") && !ExpressionParser.WORDS.contains(token.text())) {
        others.add(token.text());
      }
    }
    others.removeAll(assigned);
    others.removeAll(axes);
    return fields.isEmpty() && others.size() == 1 ? others : fields;
  }
}
