/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value that is a weighted sum of cells, as real arithmetic has it: rounding and the order of
 * operations are no part of it, and cells whose weights cancel are left out.
 *
 * @param weights the weight of each cell, none of them 0
 * @param constant what is added to the sum
 */
public record LinearForm(Map<Node.Tap, Double> weights, double constant) {
  /** Copies the weights, but for those of 0. */
  public LinearForm {
    Map<Node.Tap, Double> kept = new LinkedHashMap<>(weights);
    kept.values().removeIf(weight -> weight == 0);
    weights = Collections.unmodifiableMap(kept);
  }

  /**
   * Returns the form of an update, or nothing if its value is no weighted sum of cells with
   * constant weights. Cells that other updates have written count as cells.
   */
  public static Optional<LinearForm> of(StencilProgram program, Update update) {
    return Optional.ofNullable(ofNodes(program).get(update.node()));
  }

  /**
   * Returns the form of an update in old cells alone: what it reads of other updates is written
   * out. It holds for the cells inside; the rules outside the fields of those other updates are no
   * part of it.
   */
  public static Optional<LinearForm> throughStages(StencilProgram program, Update update) {
    List<LinearForm> nodes = ofNodes(program);
    List<LinearForm> written = new ArrayList<>();
    for (Update each : program.updates().subList(0, update.field() + 1)) {
      LinearForm form = nodes.get(each.node());
      written.add(form == null ? null : form.writtenOut(written));
    }
    return Optional.ofNullable(written.get(update.field()));
  }

  /** Returns a form for each node, null for those that are no weighted sums. */
  private static List<LinearForm> ofNodes(StencilProgram program) {
    List<LinearForm> forms = new ArrayList<>();
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap tap) {
        forms.add(new LinearForm(Map.of(tap, 1.0), 0));
      } else if (node instanceof Node.Constant constant) {
        forms.add(of(constant.value()));
      } else if (node instanceof Node.Apply apply) {
        forms.add(of(apply.operation(), apply.operands().stream().map(forms::get).toList()));
      } else {
        forms.add(null);
      }
    }
    return forms;
  }

  private static LinearForm of(double constant) {
    return new LinearForm(Map.of(), constant);
  }

  private static LinearForm of(Operation operation, List<LinearForm> operands) {
    if (operation == Operation.SELECT && isConstant(operands.get(0))) {
      return operands.get(operands.get(0).constant != 0 ? 1 : 2);
    }
    if (operands.contains(null)) {
      return null;
    }
    if (operands.stream().allMatch(LinearForm::isConstant)) {
      double[] values = new double[3];
      for (int i = 0; i < operands.size(); i++) {
        values[i] = operands.get(i).constant;
      }
      double value = operation.apply(values[0], values[1], values[2]);
      return Double.isFinite(value) ? of(value) : null;
    }
    LinearForm first = operands.get(0);
    return switch (operation) {
      case NEGATE -> first.times(-1);
      case ADD -> first.plus(operands.get(1));
      case SUBTRACT -> first.plus(operands.get(1).times(-1));
      case MULTIPLY -> product(first, operands.get(1));
      case DIVIDE -> isConstant(operands.get(1)) ? first.over(operands.get(1).constant) : null;
      case FMA -> {
        LinearForm product = product(first, operands.get(1));
        yield product == null ? null : product.plus(operands.get(2));
      }
      default -> null;
    };
  }

  private static boolean isConstant(LinearForm form) {
    return form != null && form.weights.isEmpty();
  }

  private static LinearForm product(LinearForm a, LinearForm b) {
    return isConstant(a) ? b.times(a.constant) : isConstant(b) ? a.times(b.constant) : null;
  }

  private LinearForm times(double factor) {
    Map<Node.Tap, Double> products = new LinkedHashMap<>(weights);
    products.replaceAll((cell, weight) -> weight * factor);
    return new LinearForm(products, constant * factor);
  }

  private LinearForm over(double divisor) {
    Map<Node.Tap, Double> quotients = new LinkedHashMap<>(weights);
    quotients.replaceAll((cell, weight) -> weight / divisor);
    return new LinearForm(quotients, constant / divisor);
  }

  private LinearForm plus(LinearForm other) {
    Map<Node.Tap, Double> sums = new LinkedHashMap<>(weights);
    other.weights.forEach((cell, weight) -> sums.merge(cell, weight, Double::sum));
    return new LinearForm(sums, constant + other.constant);
  }

  /** Returns this with the forms of other updates in the place of their cells, or null. */
  private LinearForm writtenOut(List<LinearForm> written) {
    LinearForm sum = of(constant);
    for (Map.Entry<Node.Tap, Double> term : weights.entrySet()) {
      Node.Tap cell = term.getKey();
      LinearForm form =
          cell.updated() ? written.get(cell.field()) : new LinearForm(Map.of(cell, 1.0), 0);
      if (form == null) {
        return null;
      }
      sum = sum.plus((cell.updated() ? form.moved(cell.offset()) : form).times(term.getValue()));
    }
    return sum;
  }

  private LinearForm moved(List<Integer> offset) {
    Map<Node.Tap, Double> moved = new LinkedHashMap<>();
    weights.forEach(
        (cell, weight) -> {
          List<Integer> sum = new ArrayList<>(cell.offset());
          for (int axis = 0; axis < offset.size(); axis++) {
            sum.set(axis, sum.get(axis) + offset.get(axis));
          }
          moved.put(new Node.Tap(cell.field(), false, List.copyOf(sum)), weight);
        });
    return new LinearForm(moved, constant);
  }
}
