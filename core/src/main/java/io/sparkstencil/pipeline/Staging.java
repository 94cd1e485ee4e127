/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import java.io.Serializable;
import java.util.List;

/**
 * What is staged together: stencils over the same cells, in one element type and under one
 * boundary.
 *
 * @param input which of an item's inputs has the cells
 * @param specs what runs, at least one
 * @param steps how often it is applied, each time to the results before; more than once one only
 * @param cutLeft how many first results of each series nobody wants
 * @param cutRight how many last results of each series nobody wants
 */
public record Staging(int input, List<StencilSpec> specs, int steps, int cutLeft, int cutRight)
    implements Serializable {
  /** Checks that the stencils can share staged cells. */
  public Staging {
    specs = List.copyOf(specs);
    if (specs.isEmpty()) {
      throw new IllegalArgumentException("a pipeline needs at least one stencil");
    }
    StencilSpec first = specs.get(0);
    for (StencilSpec spec : specs) {
      if (spec.type() != first.type() || !spec.boundary().equals(first.boundary())) {
        throw new IllegalArgumentException(
            "stencils of one pipeline must share element type and boundary: %s, %s and %s, %s"
                .formatted(first.type(), first.boundary(), spec.type(), spec.boundary()));
      }
    }
    if (steps < 1 || (steps > 1 && specs.size() > 1)) {
      throw new IllegalArgumentException(
          "%d steps of %d stencils; only one stencil can be applied several times"
              .formatted(steps, specs.size()));
    }
  }

  /** Returns stencils that are applied once and of which all results are wanted. */
  public static Staging once(int input, List<StencilSpec> specs) {
    return new Staging(input, specs, 1, 0, 0);
  }

  /** Returns the type of cells and results. */
  public ElementType type() {
    return specs.get(0).type();
  }

  /** Returns the rule outside a series. */
  public Boundary boundary() {
    return specs.get(0).boundary();
  }

  /** Returns the number of results that are wanted of a series of {@code cells} cells. */
  public int results(int cells) {
    return (int) Math.max(0, (long) cells - cutLeft - cutRight);
  }
}
