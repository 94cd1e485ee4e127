/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;

/**
 * A stencil over cells of one type: all that an engine needs in order to compile it. Cells, sums
 * and results have the same type, so a wider sum needs cells that are staged in the wider type.
 *
 * @param stencil what is computed
 * @param type the type of cells, sums and results
 */
public record StencilSpec(Stencil stencil, ElementType type) implements Serializable {
  /** The widest frame whose count a float can hold. */
  private static final int MAX_F32_COUNT = 1 << 24;

  /**
   * Checks that weights, boundary constant and results are values of the element type: a mean needs
   * a floating-point one.
   */
  public StencilSpec {
    requireNonNull(stencil, "stencil is null");
    requireNonNull(type, "type is null");
    if (stencil.reduction() == Reduction.MEAN && !type.isFloating()) {
      throw new InvalidStencilException(
          "a mean of %s cells is no %s; compute it in F64, as ResultTypes says"
              .formatted(type, type));
    }
    Weights weights = stencil.weights();
    for (int i = 0; i < weights.size(); i++) {
      if (!type.canHold(weights.get(i))) {
        throw new InvalidStencilException(
            "weight %d is %s, which is no value of %s; use a floating-point type or integer weights"
                .formatted(i, weights.get(i), type));
      }
      if (type == ElementType.F32 && Float.isInfinite((float) weights.get(i))) {
        throw new InvalidStencilException(
            "weight %d is %s, which is infinite in F32; use F64 or smaller weights"
                .formatted(i, weights.get(i)));
      }
    }
    if (!type.canHold(stencil.boundary().constant())) {
      throw new InvalidStencilException(
          "boundary constant %s is no value of %s; use a floating-point type or an integer"
              .formatted(stencil.boundary().constant(), type));
    }
    if (type == ElementType.F32
        && stencil.reduction() == Reduction.COUNT
        && stencil.frame().width() > MAX_F32_COUNT) {
      throw new InvalidStencilException(
          "a count over %d cells does not fit F32, which counts to %d; use another type"
              .formatted(stencil.frame().width(), MAX_F32_COUNT));
    }
  }

  /**
   * Returns a stencil over arrays, in the type of {@link ResultTypes#ARRAY}.
   *
   * @param cells the type of the arrays' cells
   */
  public static StencilSpec ofArrays(ElementType cells, Stencil stencil) {
    boolean countsConstants =
        stencil.reduction() == Reduction.COUNT
            && stencil.boundary().mode() == Boundary.Mode.CONSTANT;
    return new StencilSpec(
        // Cells outside count as one each, whatever their value.
        countsConstants ? stencil.withBoundary(Boundary.constant(0)) : stencil,
        ResultTypes.ARRAY.of(cells, stencil.reduction()));
  }

  /**
   * Returns a stencil with the same results in whole series of at most {@code cells} cells. Its
   * frame reaches no further than {@code cells} to either side where the rest holds no cell, or
   * only more copies of one value among which a minimum or maximum chooses.
   */
  public StencilSpec withinSeriesOf(int cells) {
    Frame frame = frame();
    Frame near = Frame.offsets(limited(frame.first(), cells), limited(frame.last(), cells));
    if (near.equals(frame) || !ignoresCellsBeyond()) {
      return this;
    }
    Weights weights = stencil.weights();
    if (reduction() == Reduction.WEIGHTED_SUM) {
      int skipped = Math.max(0, near.first() - frame.first());
      int from = Math.min(skipped, frame.width() - near.width());
      weights = Weights.of(Arrays.copyOfRange(weights.toArray(), from, from + near.width()));
    }
    return new StencilSpec(new Stencil(reduction(), near, weights, boundary(), accuracy()), type);
  }

  /** Tells whether results do not change with how far beyond a series the frame reaches. */
  private boolean ignoresCellsBeyond() {
    return switch (boundary().mode()) {
      case SHRINK, VALID -> true;
      case CONSTANT, NEAREST -> reduction().chooses();
      case REFLECT, MIRROR, WRAP -> false;
    };
  }

  private static int limited(int offset, int cells) {
    return Math.max(-cells, Math.min(cells, offset));
  }

  /**
   * Checks that the results are arrays of a class.
   *
   * @throws InvalidStencilException if they are of another class
   */
  public void requireResults(Class<?> arrays) {
    if (ElementType.ofArrays(arrays) != type) {
      String results = type.newArray(0).getClass().getSimpleName();
      throw new InvalidStencilException(
          "results of %s are %s here, not %s; give %s.class as the class of the results"
              .formatted(
                  reduction().name().toLowerCase(Locale.ROOT),
                  results,
                  arrays.getSimpleName(),
                  results));
    }
  }

  /** Returns how the cells of a frame become one value. */
  public Reduction reduction() {
    return stencil.reduction();
  }

  /** Returns the offsets of the cells that make one output. */
  public Frame frame() {
    return stencil.frame();
  }

  /** Returns the rule for cells outside the series. */
  public Boundary boundary() {
    return stencil.boundary();
  }

  /** Returns whether the order of additions is fixed. */
  public Accuracy accuracy() {
    return stencil.accuracy();
  }

  /** Returns whether each product and sum are rounded at once: see {@link Accuracy#FMA}. */
  public boolean fusesProducts() {
    return accuracy() == Accuracy.FMA && reduction() == Reduction.WEIGHTED_SUM && type.isFloating();
  }
}
