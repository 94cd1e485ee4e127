/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A step of a program over cells of which none is NaN: whether such a cell is there need not be
 * asked, and what is computed for cells that are missing is left out. Results have the bits of the
 * program. Cells that the step itself has updated may be NaN.
 *
 * <pre>
 * select(u = u, u, 0)                        is u
 * select(u = u, 1, 0) + select(v = v, 1, 0)  is 2
 * </pre>
 */
public final class NanFreeProgram {
  /** Sums of smaller whole numbers are exact, whatever the type of the cells. */
  private static final double MOST_WHOLE = 1 << 23;

  private final boolean[] numbers;
  private final List<Node> target = new ArrayList<>();
  private final Map<Node, Integer> indices = new HashMap<>(); // in the target

  /** For each node of the source, in order, its node in the target. */
  private final int[] moved;

  private NanFreeProgram(StencilProgram program) {
    numbers = numbers(program.nodes());
    moved = new int[numbers.length];
  }

  /** Returns what is left of a program, in which sums of products are fused already. */
  public static StencilProgram of(StencilProgram program) {
    NanFreeProgram rest = new NanFreeProgram(program);
    for (int i = 0; i < rest.moved.length; i++) {
      rest.moved[i] = rest.moved(program.nodes().get(i));
    }
    List<Update> updates =
        program.updates().stream()
            .map(update -> new Update(update.field(), rest.moved[update.node()]))
            .toList();
    return program.withNodes(rest.target, updates);
  }

  /** Returns which nodes are never NaN where no cell is before the step; operands come first. */
  public static boolean[] numbers(List<Node> nodes) {
    boolean[] numbers = new boolean[nodes.size()];
    for (int i = 0; i < numbers.length; i++) {
      Node node = nodes.get(i);
      if (node instanceof Node.Tap tap) {
        numbers[i] = !tap.updated();
      } else if (node instanceof Node.Constant constant) {
        numbers[i] = !Double.isNaN(constant.value());
      } else if (node instanceof Node.Apply apply) {
        List<Integer> of = apply.operands();
        numbers[i] =
            switch (apply.operation()) {
              case NEGATE, ABS -> numbers[of.get(0)];
              case MIN, MAX -> numbers[of.get(0)] && numbers[of.get(1)];
              case SELECT -> numbers[of.get(1)] && numbers[of.get(2)];
              case LESS, LESS_OR_EQUAL, EQUAL, NOT, AND, OR -> true; // conditions are 1 and 0
              case SQRT, ADD, SUBTRACT, MULTIPLY, DIVIDE, FMA -> false;
            };
      } else {
        numbers[i] = node instanceof Node.Coordinate;
      }
    }
    return numbers;
  }

  private int moved(Node node) {
    if (!(node instanceof Node.Apply apply)) {
      return intern(node);
    }
    List<Integer> of = apply.operands().stream().map(operand -> moved[operand]).toList();
    return switch (apply.operation()) {
      case SELECT -> chosen(apply, of);
      case EQUAL -> {
        boolean same = of.get(0).equals(of.get(1)) && numbers[apply.operands().get(0)];
        Boolean known = same ? Boolean.TRUE : equal(of.get(0), of.get(1));
        yield known == null ? intern(apply, of) : intern(new Node.Constant(known ? 1 : 0));
      }
      case ADD ->
          isWhole(of.get(0)) && isWhole(of.get(1))
              ? intern(new Node.Constant(value(of.get(0)) + value(of.get(1))))
              : intern(apply, of);
      default -> intern(apply, of);
    };
  }

  private int chosen(Node.Apply apply, List<Integer> of) {
    if (!isWhole(of.get(0))) {
      return intern(apply, of);
    }
    return value(of.get(0)) == 0 ? of.get(2) : of.get(1);
  }

  /** Returns whether two numbers are equal; null unless both are known, whatever the type. */
  private Boolean equal(int left, int right) {
    return isWhole(left) && isWhole(right) ? Boolean.valueOf(value(left) == value(right)) : null;
  }

  private boolean isWhole(int index) {
    return target.get(index) instanceof Node.Constant constant
        && Math.abs(constant.value()) <= MOST_WHOLE
        && Math.rint(constant.value()) == constant.value();
  }

  private double value(int index) {
    return ((Node.Constant) target.get(index)).value();
  }

  private int intern(Node.Apply apply, List<Integer> operands) {
    return intern(new Node.Apply(apply.operation(), operands));
  }

  private int intern(Node node) {
    Integer present = indices.putIfAbsent(node, target.size());
    if (present == null) {
      target.add(node);
      return target.size() - 1;
    }
    return present;
  }
}
