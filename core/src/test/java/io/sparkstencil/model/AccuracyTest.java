/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.junit.jupiter.api.Test;

final class AccuracyTest {
  @Test
  void namesAreReadInAnyCase() {
    assertThat(Accuracy.parse(" Fma ")).isEqualTo(Accuracy.FMA);
    assertThatThrownBy(() -> Accuracy.parse("better"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage("unknown accuracy \"better\"; known accuracies are exact, fma, fast");
    assertThatThrownBy(() -> Accuracy.parse("exakt"))
        .hasMessage(
            "unknown accuracy \"exakt\"; did you mean exact? known accuracies are exact, fma, fast");
  }

  @Test
  void framesTakeEveryAccuracy() {
    for (Accuracy accuracy : Accuracy.values()) {
      assertThat(Stencil.mean(Frame.radius(1)).withAccuracy(accuracy).accuracy())
          .isEqualTo(accuracy);
    }
  }

  @Test
  void onlyProductsOfFloatingPointCellsAreFused() {
    Stencil weighted = Stencil.weighted(Frame.radius(1), 1, 2, 1).withAccuracy(Accuracy.FMA);
    assertThat(new StencilSpec(weighted, ElementType.F64).fusesProducts()).isTrue();
    assertThat(new StencilSpec(weighted, ElementType.I64).fusesProducts()).isFalse();
    Stencil sum = Stencil.sum(Frame.radius(1)).withAccuracy(Accuracy.FMA);
    assertThat(new StencilSpec(sum, ElementType.F64).fusesProducts()).isFalse();
  }
}
