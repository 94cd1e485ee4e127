/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.LinearForm;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rule for rasters with missing cells (NODATA), which are NaN, and for the cells outside, which
 * are missing as well: a filter takes the cells that there are. A weighted sum is multiplied by the
 * sum of all weights over the sum of those of the cells that there are; a mean stays a mean. A
 * result is NaN only where all cells are missing.
 *
 * <pre>{@code
 * StencilProgram blur = SkipMissing.of(ImageFilters.gaussian(2, 1.5)); // of an elevation model, say
 * }</pre>
 */
public final class SkipMissing {
  /** How far sums of weights may be from 0, 1 or each other and count as equal. */
  private static final double ROUNDING = 1e-12;

  private SkipMissing() {}

  /**
   * Returns a program that does what {@code program} does, but for missing cells. A weighted sum
   * becomes a single update, also where the program has one pass per axis; its sums are rounded in
   * another order, by offset.
   *
   * @param program one that computes a weighted sum of the cells of one field with weights of one
   *     sign, or whose updates are minima and maxima of cells
   * @throws InvalidStencilException for other programs
   */
  public static StencilProgram of(StencilProgram program) {
    StencilProgram skipping =
        program.updates().stream().allMatch(update -> extreme(program, update).isPresent())
            ? extremes(program)
            : weightedSum(program);
    return skipping.withAccuracy(program.accuracy()).withBoundary(Boundary.constant(Double.NaN));
  }

  private static Field field(StencilProgram program, int field) {
    return new Field(program.fields().get(field), program.dimensions());
  }

  private static Expression cell(StencilProgram program, Node.Tap tap) {
    return new Expression.Tap(program.fields().get(tap.field()), tap.updated(), tap.offset());
  }

  /**
   * The extreme of cells.
   *
   * @param operation MIN or MAX, or null for a single cell
   */
  private record CellExtreme(Operation operation, Set<Node.Tap> cells) {}

  /** Returns the cells of a minimum or maximum, or nothing for any other value. */
  private static Optional<CellExtreme> extreme(StencilProgram program, Update update) {
    List<Optional<CellExtreme>> nodes = new ArrayList<>();
    for (Node node : program.nodes().subList(0, update.node() + 1)) {
      if (node instanceof Node.Tap tap) {
        nodes.add(Optional.of(new CellExtreme(null, Set.of(tap))));
      } else if (node instanceof Node.Apply apply
          && (apply.operation() == Operation.MIN || apply.operation() == Operation.MAX)) {
        Optional<CellExtreme> left = nodes.get(apply.operands().get(0));
        Optional<CellExtreme> right = nodes.get(apply.operands().get(1));
        nodes.add(left.flatMap(a -> right.flatMap(b -> combined(apply.operation(), a, b))));
      } else {
        nodes.add(Optional.empty());
      }
    }
    return nodes.get(update.node());
  }

  private static Optional<CellExtreme> combined(Operation operation, CellExtreme a, CellExtreme b) {
    for (CellExtreme operand : List.of(a, b)) {
      if (operand.operation != null && operand.operation != operation) {
        return Optional.empty();
      }
    }
    Set<Node.Tap> cells = new LinkedHashSet<>(a.cells);
    cells.addAll(b.cells);
    return Optional.of(new CellExtreme(operation, cells));
  }

  /** NaN is greater than every number: minima skip it, and a maximum is the least negative. */
  private static StencilProgram extremes(StencilProgram program) {
    return StencilProgram.of(
        program.axes(),
        p -> {
          for (Update update : program.updates()) {
            CellExtreme extreme = extreme(program, update).orElseThrow();
            boolean max = extreme.operation == Operation.MAX;
            Expression least =
                extreme.cells.stream()
                    .map(tap -> cell(program, tap))
                    .map(cell -> max ? cell.negated() : cell)
                    .reduce(Expression::min)
                    .orElseThrow();
            p.update(field(program, update.field()), max ? least.negated() : least);
          }
        });
  }

  private static StencilProgram weightedSum(StencilProgram program) {
    Update result = program.updates().get(program.updates().size() - 1);
    requireOneResult(program, result);
    LinearForm form =
        LinearForm.throughStages(program, result)
            .filter(sum -> sum.constant() == 0 && !sum.weights().isEmpty())
            .orElseThrow(
                () ->
                    refused(
                        "is no weighted sum, minimum or maximum of cells",
                        "fill missing cells before, with where(u == u, u, 0), say"));
    if (form.weights().keySet().stream().map(Node.Tap::field).distinct().count() > 1) {
      throw refused("sums the cells of several fields", "use one program per field");
    }
    requireWeights(form.weights().values());
    Map<Node.Tap, Double> ordered =
        new TreeMap<>(Comparator.comparing(SkipMissing::offset, Arrays::compare));
    ordered.putAll(form.weights());
    return StencilProgram.of(
        program.axes(),
        p -> p.update(field(program, result.field()), renormalised(program, ordered)));
  }

  private static int[] offset(Node.Tap tap) {
    return tap.offset().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Other updates may only be passes on the way to the result. */
  private static void requireOneResult(StencilProgram program, Update result) {
    for (Update update : program.updates()) {
      boolean passedOn = false;
      for (Node node : program.nodes()) {
        if (node instanceof Node.Tap tap
            && tap.field() == update.field()
            && !update.equals(result)) {
          if (!tap.updated()) {
            throw refused("updates several fields", "use one program per field");
          }
          passedOn = true;
        }
      }
      if (!update.equals(result) && !passedOn) {
        throw refused("updates several fields", "use one program per field");
      }
    }
  }

  private static void requireWeights(Collection<Double> weights) {
    double sum = 0;
    double sizes = 0;
    for (double weight : weights) {
      sum += weight;
      sizes += Math.abs(weight);
    }
    if (Math.abs(sum) <= ROUNDING * sizes) {
      throw refused(
          "has weights that sum to 0, as a derivative's do",
          "fill missing cells before, or smooth with SkipMissing first");
    }
    if (Math.abs(sum) < sizes * (1 - ROUNDING)) {
      throw refused(
          "has weights of both signs: those of the cells that there are may sum to 0",
          "use weights of one sign");
    }
  }

  private static Expression renormalised(StencilProgram program, Map<Node.Tap, Double> weights) {
    Expression zero = Expression.constant(0);
    double first = weights.values().iterator().next();
    boolean mean =
        weights.values().stream().allMatch(w -> Math.abs(w - first) <= ROUNDING * Math.abs(first));
    Expression sum = null;
    Expression present = null;
    double all = 0;
    for (Map.Entry<Node.Tap, Double> term : weights.entrySet()) {
      Expression cell = cell(program, term.getKey());
      Expression weight = Expression.constant(mean ? 1 : term.getValue());
      Expression isThere = cell.equalTo(cell);
      Expression value = Expression.select(isThere, mean ? cell : weight.times(cell), zero);
      Expression share = Expression.select(isThere, weight, zero);
      sum = sum == null ? value : sum.plus(value);
      present = present == null ? share : present.plus(share);
      all += term.getValue();
    }
    Expression average = sum.over(present);
    return Math.abs(all - 1) <= ROUNDING ? average : average.times(all);
  }

  private static InvalidStencilException refused(String what, String remedy) {
    return new InvalidStencilException(
        "missing cells cannot be skipped: the program %s; %s".formatted(what, remedy));
  }
}
