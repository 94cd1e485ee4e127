/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.model.Weights;
import java.util.Locale;

/**
 * What one kernel computes over the flat staged array: output p is the reduction of the cells
 * {@code p + shift} to {@code p + shift + width - 1}. Boundary and the place of the frame are gone:
 * staging resolves the one, the shift is a launch argument.
 *
 * @param reduction how cells become one value
 * @param width cells per output
 * @param weights one per cell for a weighted sum, else {@link Weights#NONE}
 * @param type the type of cells, sums and results
 * @param accuracy what may be done to the order of arithmetic
 * @param nullable whether validity bytes are read and written
 * @param skewCells the shift modulo the cells of 16 bytes: how far the first cell of a block's
 *     first frame lies from a 16-byte boundary
 */
public record FlatStencil(
    Reduction reduction,
    int width,
    Weights weights,
    ElementType type,
    Accuracy accuracy,
    boolean nullable,
    int skewCells) {

  /** Checks the components. */
  public FlatStencil {
    requireNonNull(reduction, "reduction is null");
    requireNonNull(weights, "weights is null");
    requireNonNull(type, "type is null");
    requireNonNull(accuracy, "accuracy is null");
    if (width < 1) {
      throw new IllegalArgumentException("width is %d; it must be at least 1".formatted(width));
    }
    if (weights.size() != (reduction == Reduction.WEIGHTED_SUM ? width : 0)) {
      throw new IllegalArgumentException(
          "%d weights for %s of %d cells".formatted(weights.size(), reduction, width));
    }
    if (reduction == Reduction.MEAN && !type.isFloating()) {
      throw new IllegalArgumentException("a mean of %s cells; compute it in F64".formatted(type));
    }
    if (skewCells < 0 || skewCells >= 16 / type.bytes()) {
      throw new IllegalArgumentException(
          "skew is %d cells; it is a shift modulo %d".formatted(skewCells, 16 / type.bytes()));
    }
  }

  /**
   * Returns the flat form of a stencil.
   *
   * @param spec the stencil
   * @param shift staged cells between the start of a piece and the first frame: {@code
   *     layout.left() - preceding}, at least 0
   * @param nullable whether the batch has nulls
   */
  public static FlatStencil of(StencilSpec spec, int shift, boolean nullable) {
    return new FlatStencil(
        spec.reduction(),
        spec.frame().width(),
        spec.stencil().weights(),
        spec.type(),
        accuracyOf(spec),
        nullable,
        Math.floorMod(shift, 16 / spec.type().bytes()));
  }

  /** Without fused products, the accuracy of these is the exact one, and so are its kernels. */
  private static Accuracy accuracyOf(StencilSpec spec) {
    return spec.accuracy() == Accuracy.FMA && !spec.fusesProducts()
        ? Accuracy.EXACT
        : spec.accuracy();
  }

  /** Returns the cells in 16 bytes. */
  public int cellsPerVector() {
    return 16 / type.bytes();
  }

  /**
   * Tells whether the cells of a frame may be brought together in any grouping: accuracy is fast,
   * or the grouping cannot change a bit. Least and greatest cells are exact in any grouping that
   * keeps their order; integer sums wrap.
   */
  public boolean groupsFreely() {
    return switch (reduction) {
      case MIN, MAX, COUNT -> true;
      case SUM, MEAN -> accuracy == Accuracy.FAST || !type.isFloating();
      case WEIGHTED_SUM -> false;
    };
  }

  /**
   * Returns the arithmetic operations of a tap, in instructions of the type: 2 where a product and
   * a sum are rounded by themselves, else 1.
   */
  public int operationsPerTap() {
    boolean weighted = reduction == Reduction.WEIGHTED_SUM;
    return weighted && accuracy == Accuracy.EXACT && type.isFloating() ? 2 : 1;
  }

  /** Returns a readable name without weights: {@code mean_w17_f32_exact}. */
  public String label() {
    return "%s_w%d_%s_%s%s%s"
        .formatted(
            lower(reduction),
            width,
            lower(type),
            lower(accuracy),
            nullable ? "_nulls" : "",
            skewCells == 0 ? "" : "_skew" + skewCells);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace("weighted_sum", "weighted");
  }
}
