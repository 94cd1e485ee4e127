/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayStencil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is allocated per element on the way of arrays through the CPU engine. */
final class ArrayAllocationTest {
  @ParameterizedTest
  @EnumSource
  void rowsAllocateNextToNothing(ElementType type) {
    assertThat(ArrayAllocations.perRow(type, ArrayPlan::localEngines))
        .isLessThan(ArrayAllocations.BYTES_PER_ROW);
  }

  @Test
  void arraysOfAnRddAllocateTheirResults() {
    ArrayStencil<float[], float[]> mean =
        ArrayStencil.ofFloats(Stencil.mean(Frame.radius(8))).withEngine("cpu");
    assertThat(ArrayAllocations.perArray(mean)).isLessThan(ArrayAllocations.BYTES_PER_ROW);
  }
}
