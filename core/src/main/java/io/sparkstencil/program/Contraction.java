/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.model.Accuracy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rule of {@link Accuracy#FMA}: a sum or difference with a product among its two operands
 * becomes one {@link Operation#FMA}. Of two products, the left one is fused. Engines run the
 * rewritten graph as it stands, so its bits are the same everywhere.
 *
 * <pre>
 * a*b + c   is fma(a, b, c)        a*b + c*d   is fma(a, b, c*d)
 * c + a*b   is fma(a, b, c)        a*b - c*d   is fma(a, b, -(c*d))
 * a*b - c   is fma(a, b, -c)       c - a*b     is fma(-a, b, c)
 * </pre>
 *
 * A product that is used elsewhere, too, is fused here and computed there.
 */
final class Contraction {
  private final List<Node> source;
  private final Map<Node, Integer> target = new LinkedHashMap<>();

  /** For each node of the source, in order, its node in the target. */
  private final int[] moved;

  private Contraction(StencilProgram program) {
    source = program.nodes();
    moved = new int[source.size()];
  }

  /** Returns the program with its sums of products fused. */
  static StencilProgram contract(StencilProgram program) {
    Contraction contraction = new Contraction(program);
    for (int i = 0; i < contraction.moved.length; i++) {
      contraction.moved[i] = contraction.intern(contraction.rewritten(program.nodes().get(i)));
    }
    List<Update> updates =
        program.updates().stream()
            .map(update -> new Update(update.field(), contraction.moved[update.node()]))
            .toList();
    return program.withNodes(List.copyOf(contraction.target.keySet()), updates);
  }

  private Node rewritten(Node node) {
    if (!(node instanceof Node.Apply apply)) {
      return node;
    }
    boolean sum = apply.operation() == Operation.ADD;
    if (sum || apply.operation() == Operation.SUBTRACT) {
      int left = apply.operands().get(0);
      int right = apply.operands().get(1);
      if (product(left) != null) {
        List<Integer> factors = product(left);
        return fused(
            moved[factors.get(0)], moved[factors.get(1)], sum ? moved[right] : minus(right));
      }
      if (product(right) != null) {
        List<Integer> factors = product(right);
        int first = sum ? moved[factors.get(0)] : minus(factors.get(0));
        return fused(first, moved[factors.get(1)], moved[left]);
      }
    }
    return new Node.Apply(
        apply.operation(), apply.operands().stream().map(operand -> moved[operand]).toList());
  }

  /** Returns the factors of a product, or null for any other node. */
  private List<Integer> product(int index) {
    return source.get(index) instanceof Node.Apply apply && apply.operation() == Operation.MULTIPLY
        ? apply.operands()
        : null;
  }

  private int minus(int index) {
    if (source.get(index) instanceof Node.Constant constant) {
      return intern(new Node.Constant(-constant.value()));
    }
    return intern(new Node.Apply(Operation.NEGATE, List.of(moved[index])));
  }

  private static Node fused(int a, int b, int c) {
    return new Node.Apply(Operation.FMA, List.of(a, b, c));
  }

  private int intern(Node node) {
    Integer present = target.putIfAbsent(node, target.size());
    return present == null ? target.size() - 1 : present;
  }
}
