/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.variant.MatrixShape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks of an emulated device that take tiles in turn have the bits of a chain of fma. */
final class TileTurnsTest {
  @ParameterizedTest
  @EnumSource
  void specialCellsOfAnyTileAreKeptApart(MatrixShape shape) {
    FakeGpu fake = new FakeGpu();
    fake.capabilityMajor(shape.target().architecture() / 10);
    fake.emulate();
    try (PrimaryContext context = fake.driver().open(0)) {
      assertThat(TileTurns.wrong(context, shape)).isEmpty();
    }
  }
}
