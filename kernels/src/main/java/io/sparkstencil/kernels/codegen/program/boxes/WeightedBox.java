/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A step that gives each cell of a plane the weighted sum of those around it, by a chain of fused
 * multiply-adds: {@code s = w*u}, then {@code s = fma(w, u, s)} for one cell after the other, row
 * by row. The product that begins the chain may be that of any cell of the first row.
 *
 * @param radius the farthest distance of a cell along either axis
 * @param first the cell whose product begins the chain
 * @param others the cells that follow, in the order of the chain
 */
record WeightedBox(int radius, Weighted first, List<Weighted> others) {
  private static final Comparator<Weighted> IN_MEMORY =
      Comparator.comparingInt(Weighted::row).thenComparingInt(Weighted::column);

  /**
   * A cell and its weight.
   *
   * @param row its distance along the rows, from 0 for the first row of the box
   * @param column the same along the columns
   */
  record Weighted(int row, int column, double weight) {}

  /** A cell with its distance from the one that is computed. */
  private record Product(Node.Tap tap, double weight) {}

  WeightedBox {
    others = List.copyOf(others);
  }

  /** Returns the box of a program, if a step of it is one. */
  static Optional<WeightedBox> of(ProgramTraits traits) {
    StencilProgram program = traits.program();
    if (program.dimensions() != 2
        || program.fields().size() != 1
        || traits.stages().size() != 1
        || program.updates().size() != 1) {
      return Optional.empty();
    }
    List<Product> products = new ArrayList<>();
    int node = program.updates().get(0).node();
    while (program.nodes().get(node) instanceof Node.Apply apply) {
      Optional<Product> product = product(program, apply);
      if (product.isEmpty()) {
        return Optional.empty();
      }
      products.add(0, product.get());
      if (apply.operation() == Operation.MULTIPLY) {
        return of(products, traits.stages().get(0));
      }
      node = apply.operands().get(2);
    }
    return Optional.empty();
  }

  private static Optional<Product> product(StencilProgram program, Node.Apply apply) {
    if (apply.operation() != Operation.MULTIPLY && apply.operation() != Operation.FMA) {
      return Optional.empty();
    }
    Node left = program.nodes().get(apply.operands().get(0));
    Node right = program.nodes().get(apply.operands().get(1));
    if (left instanceof Node.Constant weight && right instanceof Node.Tap tap) {
      return Optional.of(new Product(tap, weight.value()));
    }
    return left instanceof Node.Tap tap && right instanceof Node.Constant weight
        ? Optional.of(new Product(tap, weight.value()))
        : Optional.empty();
  }

  private static Optional<WeightedBox> of(List<Product> products, Stage stage) {
    if (products.stream().anyMatch(product -> product.tap.updated())
        || stage.updates().size() != 1) {
      return Optional.empty();
    }
    int radius =
        products.stream()
            .flatMap(product -> product.tap.offset().stream())
            .mapToInt(Math::abs)
            .max()
            .orElse(0);
    List<Weighted> cells =
        products.stream()
            .map(
                product ->
                    new Weighted(
                        product.tap.offset().get(0) + radius,
                        product.tap.offset().get(1) + radius,
                        product.weight))
            .toList();
    Weighted first = cells.get(0);
    List<Weighted> others = cells.subList(1, cells.size());
    boolean inOrder = first.row == 0;
    boolean finite = cells.stream().allMatch(cell -> Double.isFinite(cell.weight));
    for (int i = 1; i < others.size(); i++) {
      inOrder &= IN_MEMORY.compare(others.get(i - 1), others.get(i)) < 0;
    }
    return inOrder && finite && radius > 0
        ? Optional.of(new WeightedBox(radius, first, others))
        : Optional.empty();
  }

  /** Returns the rows, and the columns, of the box. */
  int width() {
    return 2 * radius + 1;
  }

  /** Returns the weight of a cell that follows the first one; 0 for others. */
  double weight(int row, int column) {
    return others.stream()
        .filter(cell -> cell.row == row && cell.column == column)
        .mapToDouble(Weighted::weight)
        .findFirst()
        .orElse(0);
  }

  /** Returns whether sums of cells that are 0.0 are -0.0. */
  boolean turnsZerosNegative() {
    return negative(first) && others.stream().allMatch(WeightedBox::negative);
  }

  private static boolean negative(Weighted cell) {
    return Double.doubleToRawLongBits(cell.weight) < 0;
  }
}
