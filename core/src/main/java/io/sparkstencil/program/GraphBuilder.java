/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns expressions into the nodes of a program. Nodes, fields and parameters are numbered in the
 * order in which the updates reach them, so that equal programs have equal graphs however they were
 * written.
 */
final class GraphBuilder {
  private final List<String> axes;
  private final IdentityHashMap<Expression, Integer> visited = new IdentityHashMap<>();
  private final Map<Node, Integer> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> fields = new LinkedHashMap<>();
  private final Map<String, Integer> parameters = new LinkedHashMap<>();

  GraphBuilder(List<String> axes) {
    this.axes = axes;
  }

  StencilProgram build(Map<String, Expression> expressions) {
    expressions.keySet().forEach(name -> index(fields, name));
    List<Update> updates = new ArrayList<>();
    expressions.forEach(
        (name, value) -> updates.add(new Update(fields.get(name), intern(value, updates.size()))));
    parameters.keySet().stream()
        .filter(fields::containsKey)
        .findFirst()
        .ifPresent(
            name -> {
              throw new InvalidStencilException(
                  "%s is a field and a parameter; use two names".formatted(name));
            });
    List<FieldBoundary> boundaries =
        Collections.nCopies(
            fields.size(), FieldBoundary.uniform(StencilProgram.DEFAULT_BOUNDARY, axes.size()));
    return new StencilProgram(
        axes,
        List.copyOf(fields.keySet()),
        List.copyOf(parameters.keySet()),
        List.copyOf(nodes.keySet()),
        updates,
        boundaries,
        Accuracy.EXACT);
  }

  private static <K> int index(Map<K, Integer> indices, K key) {
    Integer present = indices.putIfAbsent(key, indices.size());
    return present == null ? indices.size() - 1 : present;
  }

  /** Visits operands before operations, without recursion: expressions may be deep. */
  private int intern(Expression root, int updatesBefore) {
    Deque<Expression> pending = new ArrayDeque<>();
    pending.push(root);
    while (!pending.isEmpty()) {
      Expression next = pending.peek();
      if (visited.containsKey(next)) {
        pending.pop();
        continue;
      }
      int waiting = pending.size();
      if (next instanceof Expression.Apply apply) {
        for (int i = apply.operands().size() - 1; i >= 0; i--) {
          if (!visited.containsKey(apply.operands().get(i))) {
            pending.push(apply.operands().get(i));
          }
        }
      }
      if (pending.size() == waiting) {
        visited.put(next, index(nodes, node(next, updatesBefore)));
        requireFewNodes();
        pending.pop();
      }
    }
    return visited.get(root);
  }

  private Node node(Expression expression, int updatesBefore) {
    if (expression instanceof Expression.Tap tap) {
      requireOffset(tap);
      ProgramNames.require(tap.field(), axes);
      int field = index(fields, tap.field());
      if (tap.updated() && field >= updatesBefore) {
        throw new InvalidStencilException(
            "%s' is read before %s is updated; write the update of %s first"
                .formatted(tap.field(), tap.field(), tap.field()));
      }
      return new Node.Tap(field, tap.updated(), tap.offset());
    }
    if (expression instanceof Expression.Constant constant) {
      return new Node.Constant(constant.value());
    }
    if (expression instanceof Expression.Parameter parameter) {
      ProgramNames.require(parameter.name(), axes);
      return new Node.Parameter(index(parameters, parameter.name()));
    }
    if (expression instanceof Expression.Coordinate coordinate) {
      requireAxis(coordinate.axis(), axes);
      return new Node.Coordinate(coordinate.axis());
    }
    Expression.Apply apply = (Expression.Apply) expression;
    List<Integer> operands = apply.operands().stream().map(visited::get).toList();
    return new Node.Apply(apply.operation(), operands);
  }

  private void requireOffset(Expression.Tap tap) {
    if (tap.offset().size() != axes.size()) {
      throw new InvalidStencilException(
          "%s%s has %d distances in a program with the axes %s; give one per axis"
              .formatted(tap.field(), tap.offset(), tap.offset().size(), axes));
    }
  }

  static void requireAxis(int axis, List<String> axes) {
    if (axis < 0 || axis >= axes.size()) {
      throw new InvalidStencilException(
          "axis %d of a program with the axes %s; use 0 to %d"
              .formatted(axis, axes, axes.size() - 1));
    }
  }

  private void requireFewNodes() {
    if (nodes.size() > StencilProgram.MAX_NODES) {
      throw new InvalidStencilException(
          "the program has more than %d different operations and cells; split it into several programs"
              .formatted(StencilProgram.MAX_NODES));
    }
  }
}
