/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the model refuses, and that it says what, which value, and what to do. */
class StencilSpecTest {
  private static void refuses(ThrowingCallable call, String... words) {
    assertThatThrownBy(call).isInstanceOf(InvalidStencilException.class).message().contains(words);
  }

  @Test
  void framesKnowTheirWidthAndReach() {
    assertThat(Frame.radius(3)).isEqualTo(Frame.precedingFollowing(3, 3));
    assertThat(Frame.radius(0).width()).isEqualTo(1);
    Frame ahead = Frame.offsets(3, 5);
    assertThat(ahead.width()).isEqualTo(3);
    assertThat(ahead.left()).isZero();
    assertThat(ahead.right()).isEqualTo(5);
    Frame behind = Frame.offsets(-7, -2);
    assertThat(behind).hasToString("[-7, -2]").isNotEqualTo(ahead);
    assertThat(behind.width()).isEqualTo(6);
    assertThat(behind.left()).isEqualTo(7);
    assertThat(behind.right()).isZero();
  }

  @Test
  void countsAndOffsetsOfAFrameCannotBeMistakenForEachOther() {
    assertThat(Frame.precedingFollowing(2, 3)).isEqualTo(Frame.offsets(-2, 3));
    assertThat(Frame.offsets(-2, 2)).isEqualTo(Frame.radius(2)).hasToString("[-2, +2]");
    refuses(
        () -> Frame.precedingFollowing(-2, 2),
        "preceding is -2",
        "at least 0",
        "Frame.offsets(-2, 2) for the cells of Spark's rowsBetween(-2, 2)",
        "Frame.offsets(2, 2) for a frame that starts 2 cells ahead");
    refuses(
        () -> Frame.precedingFollowing(5, -3), "following is -3", "at least 0", "offsets(-5, -3)");
    refuses(() -> Frame.offsets(2, -2), "offset 2", "offset -2", "Frame.precedingFollowing");
  }

  @Test
  void refusesFramesThatAreEmptyOrTooWide() {
    refuses(() -> Frame.radius(-1), "radius -1");
    refuses(() -> Frame.offsets(3, 2), "offset 3", "offset 2", "swap or widen");
    refuses(() -> Frame.offsets(Integer.MAX_VALUE, Integer.MIN_VALUE), "empty");
    refuses(() -> Frame.radius(Frame.MAX_REACH + 1), "67108865", "67108864");
    refuses(() -> Frame.offsets(-Frame.MAX_REACH - 1, 0), "-67108865", "67108864", "narrower");
    refuses(() -> Frame.precedingFollowing(0, Frame.MAX_REACH + 1), "67108865", "narrower");
    assertThat(Frame.radius(Frame.MAX_REACH).width()).isEqualTo(2 * Frame.MAX_REACH + 1);
  }

  @Test
  void refusesMeansOfIntegersInIntegers() {
    refuses(
        () -> new StencilSpec(Stencil.mean(Frame.radius(1)), ElementType.I32),
        "mean of I32",
        "compute it in F64");
  }

  @Test
  void weightsAreCopiesAndEqualByTheirBits() {
    double[] values = {1, -2, 0.0};
    Weights weights = Weights.of(values);
    values[0] = 9;
    weights.toArray()[1] = 9;
    assertThat(weights.toArray()).containsExactly(1, -2, 0.0);
    assertThat(weights.reversed()).isEqualTo(Weights.of(0.0, -2, 1));
    assertThat(weights).isNotEqualTo(Weights.of(1, -2, -0.0));
    assertThat(weights).hasSameHashCodeAs(Weights.of(1, -2, 0.0));
    assertThat(Weights.of()).isSameAs(Weights.NONE);
    refuses(() -> Weights.of(1, Double.NaN), "weight 1", "NaN", "finite");
    refuses(() -> Weights.of(Double.NEGATIVE_INFINITY), "weight 0", "-Infinity");
  }

  @Test
  void refusesWeightsThatDoNotFitTheFrameOrTheReduction() {
    refuses(() -> Stencil.weighted(Frame.radius(1), 1, 2), "2 weights", "3 cells");
    refuses(
        () ->
            new Stencil(
                Reduction.MIN, Frame.radius(0), Weights.of(1), Boundary.WRAP, Accuracy.EXACT),
        "min takes no weights",
        "1");
  }

  @Test
  void refusesValuesThatTheElementTypeDoesNotHave() {
    Stencil half = Stencil.weighted(Frame.radius(0), 0.5);
    refuses(() -> new StencilSpec(half, ElementType.I32), "weight 0", "0.5", "I32");
    Stencil huge = Stencil.weighted(Frame.radius(0), 1e300);
    refuses(() -> new StencilSpec(huge, ElementType.F32), "1.0E300", "F32", "F64");
    assertThat(new StencilSpec(huge, ElementType.F64).reduction())
        .isEqualTo(Reduction.WEIGHTED_SUM);
    Stencil constant = Stencil.sum(Frame.radius(1)).withBoundary(Boundary.constant(0.25));
    refuses(() -> new StencilSpec(constant, ElementType.I64), "constant 0.25", "I64");
    Stencil count = Stencil.count(Frame.radius(1 << 23));
    refuses(() -> new StencilSpec(count, ElementType.F32), "16777217", "16777216");
  }
}
