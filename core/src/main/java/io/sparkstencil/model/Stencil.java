/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.Locale;

/**
 * What is computed: each output is a reduction of the cells at fixed offsets around it. A stencil
 * does not depend on the element type, the engine, or how the data is distributed.
 *
 * <pre>{@code
 * Stencil mean = Stencil.mean(Frame.radius(6));
 * Stencil slope =
 *     Stencil.weighted(Frame.radius(1), -0.5, 0, 0.5).withBoundary(Boundary.VALID);
 * }</pre>
 *
 * @param reduction how the cells of a frame become one value
 * @param frame the offsets of those cells
 * @param weights one weight per cell of the frame for a weighted sum, else {@link Weights#NONE}
 * @param boundary the rule for cells outside the series
 * @param accuracy whether the order of additions is fixed
 */
public record Stencil(
    Reduction reduction, Frame frame, Weights weights, Boundary boundary, Accuracy accuracy)
    implements Serializable {

  /** Checks the components and that there is one weight per cell of the frame. */
  public Stencil {
    requireNonNull(reduction, "reduction is null");
    requireNonNull(frame, "frame is null");
    requireNonNull(weights, "weights is null");
    requireNonNull(boundary, "boundary is null");
    requireNonNull(accuracy, "accuracy is null");
    if (reduction == Reduction.WEIGHTED_SUM && weights.size() != frame.width()) {
      throw new InvalidStencilException(
          "%d weights for a frame of %d cells, %s; give one weight per cell"
              .formatted(weights.size(), frame.width(), frame));
    }
    if (reduction != Reduction.WEIGHTED_SUM && weights.size() != 0) {
      throw new InvalidStencilException(
          "%s takes no weights, but got %d; use a weighted sum"
              .formatted(reduction.name().toLowerCase(Locale.ROOT), weights.size()));
    }
  }

  private static Stencil of(Reduction reduction, Frame frame) {
    return new Stencil(reduction, frame, Weights.NONE, Boundary.DEFAULT, Accuracy.EXACT);
  }

  /** Returns the moving sum; under the boundary shrink, exact. */
  public static Stencil sum(Frame frame) {
    return of(Reduction.SUM, frame);
  }

  /** Returns the moving average; under the boundary shrink, exact. */
  public static Stencil mean(Frame frame) {
    return of(Reduction.MEAN, frame);
  }

  /** Returns the sliding minimum; under the boundary shrink, exact. */
  public static Stencil min(Frame frame) {
    return of(Reduction.MIN, frame);
  }

  /** Returns the sliding maximum; under the boundary shrink, exact. */
  public static Stencil max(Frame frame) {
    return of(Reduction.MAX, frame);
  }

  /** Returns the number of non-null cells; under the boundary shrink, exact. */
  public static Stencil count(Frame frame) {
    return of(Reduction.COUNT, frame);
  }

  /**
   * Returns the weighted sum; under the boundary shrink, exact.
   *
   * @param frame the offsets of the cells
   * @param weights one weight per cell of the frame, lowest offset first
   */
  public static Stencil weighted(Frame frame, double... weights) {
    return new Stencil(
        Reduction.WEIGHTED_SUM, frame, Weights.of(weights), Boundary.DEFAULT, Accuracy.EXACT);
  }

  /** Returns this stencil with another rule for cells outside the series. */
  public Stencil withBoundary(Boundary newBoundary) {
    return new Stencil(reduction, frame, weights, newBoundary, accuracy);
  }

  /** Returns this stencil with another accuracy. */
  public Stencil withAccuracy(Accuracy newAccuracy) {
    return new Stencil(reduction, frame, weights, boundary, newAccuracy);
  }
}
