/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.program.ProgramCode.Scalar;
import io.sparkstencil.program.Node;
import java.util.List;

/**
 * Finds the nodes that add a weighted term to another node: sums, differences, negations, and
 * products with a number that is the same for all cells.
 */
final class LinearNodes {
  /**
   * A node as a sum.
   *
   * @param head what the term is added to, or -1 for nothing
   * @param weight the weight of the term
   * @param term the node that is weighted
   * @param fused whether the product is rounded together with the sum
   */
  record Linear(int head, Scalar weight, int term, boolean fused) {}

  private static final Scalar ONE = new Scalar(Scalar.UNIT, false);
  private static final Scalar MINUS_ONE = new Scalar(Scalar.UNIT, true);

  private final List<Node> nodes;
  private final boolean[] uniform;

  LinearNodes(List<Node> nodes) {
    this.nodes = nodes;
    uniform = new boolean[nodes.size()];
    for (int i = 0; i < uniform.length; i++) {
      Node node = nodes.get(i);
      uniform[i] =
          node instanceof Node.Constant
              || node instanceof Node.Parameter
              || (node instanceof Node.Apply apply
                  && apply.operands().stream().allMatch(operand -> uniform[operand]));
    }
  }

  /** Returns the sum of a node alone. */
  Linear alone(int node) {
    return new Linear(-1, ONE, node, false);
  }

  /** Returns whether a node has the same value for all cells of a step. */
  boolean isUniform(int node) {
    return uniform[node];
  }

  /** Returns a node as a sum, or null if it is none. */
  Linear of(int node) {
    if (uniform[node] || !(nodes.get(node) instanceof Node.Apply apply)) {
      return null;
    }
    int first = apply.operands().get(0);
    return switch (apply.operation()) {
      case ADD -> new Linear(first, ONE, apply.operands().get(1), false);
      case SUBTRACT -> new Linear(first, MINUS_ONE, apply.operands().get(1), false);
      case NEGATE -> new Linear(-1, MINUS_ONE, first, false);
      case MULTIPLY -> product(apply, -1, false);
      case FMA -> product(apply, apply.operands().get(2), true);
      default -> null;
    };
  }

  /** Returns a product whose term is a weighted node itself, with the weight of both. */
  Linear scaled(Linear sum) {
    Linear product = of(sum.term());
    if (product == null || product.head() >= 0 || !sum.weight().isUnit()) {
      return null;
    }
    Scalar weight = product.weight();
    return new Linear(
        sum.head(),
        new Scalar(weight.node(), weight.negated() != sum.weight().negated()),
        product.term(),
        false);
  }

  private Linear product(Node.Apply apply, int head, boolean fused) {
    int left = apply.operands().get(0);
    int right = apply.operands().get(1);
    if (uniform[left]) {
      return new Linear(head, new Scalar(left, false), right, fused);
    }
    return uniform[right] ? new Linear(head, new Scalar(right, false), left, fused) : null;
  }
}
