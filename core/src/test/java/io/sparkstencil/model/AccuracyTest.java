/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.junit.jupiter.api.Test;

final class AccuracyTest {
  @Test
  void framesHaveNoRuleForFusedSums() {
    Stencil mean = Stencil.mean(Frame.radius(1));
    assertThat(Accuracy.ofFrames()).containsExactly(Accuracy.EXACT, Accuracy.FAST);
    assertThatThrownBy(() -> mean.withAccuracy(Accuracy.FMA))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage("accuracy fma is for stencil programs; use exact or fast");
  }
}
