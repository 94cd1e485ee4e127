/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.io.Serializable;

/**
 * What is computed on each array: a stencil, applied once or several times in a row. Under the
 * boundary valid the outputs without a whole frame are cut off: {@code n} cells give {@code n -
 * steps * (left + right)} outputs, or none.
 *
 * @param input the type of the array's elements
 * @param spec the stencil and the type of its results
 * @param steps how often it is applied, each time to the results of the time before; at least 1
 */
public record ArrayOperation(ElementType input, StencilSpec spec, int steps)
    implements Serializable {

  /** Checks the components. */
  public ArrayOperation {
    requireNonNull(input, "input is null");
    requireNonNull(spec, "spec is null");
    if (steps < 1) {
      throw new InvalidStencilException(
          "steps is %d; a stencil is applied at least once".formatted(steps));
    }
    if ((long) steps * spec.frame().width() > Integer.MAX_VALUE) {
      throw new InvalidStencilException(
          "%d steps of a frame of %d cells reach further than an array can; use fewer steps"
              .formatted(steps, spec.frame().width()));
    }
  }

  /** Returns one application of {@code stencil} to arrays of {@code input}. */
  public static ArrayOperation of(ElementType input, Stencil stencil) {
    return of(input, stencil, 1);
  }

  /** Returns {@code steps} applications of {@code stencil} to arrays of {@code input}. */
  public static ArrayOperation of(ElementType input, Stencil stencil, int steps) {
    return new ArrayOperation(input, StencilSpec.ofArrays(input, stencil), steps);
  }

  private boolean cutsEdges() {
    return spec.boundary().mode() == Boundary.Mode.VALID;
  }

  /** Returns how many first outputs of an array are cut off. */
  public int cutLeft() {
    return cutsEdges() ? steps * spec.frame().left() : 0;
  }

  /** Returns how many last outputs of an array are cut off. */
  public int cutRight() {
    return cutsEdges() ? steps * spec.frame().right() : 0;
  }

  /** Returns the number of results that an array of {@code cells} has. */
  public int resultLength(int cells) {
    return (int) Math.max(0, (long) cells - cutLeft() - cutRight());
  }

  /**
   * Returns the stencil as it is staged. What valid cuts off need not be told apart from the rest
   * by missing cells, which cost a second look at every edge: any constant does.
   */
  public StencilSpec stagedSpec() {
    return cutsEdges()
        ? new StencilSpec(spec.stencil().withBoundary(Boundary.constant(0)), spec.type())
        : spec;
  }

  /** Tells whether a result can be null although no element is: its frame may hold no cell. */
  public boolean framesCanBeEmpty() {
    return spec.boundary().mode() == Boundary.Mode.SHRINK
        && (spec.frame().preceding() < 0 || spec.frame().following() < 0)
        && spec.reduction() != Reduction.COUNT;
  }

  /**
   * Tells whether results can be null.
   *
   * @param nullElements whether elements of the input can be
   */
  public boolean nullResults(boolean nullElements) {
    return (nullElements && spec.reduction() != Reduction.COUNT) || framesCanBeEmpty();
  }
}
