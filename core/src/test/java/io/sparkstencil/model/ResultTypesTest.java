/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static io.sparkstencil.model.ElementType.F32;
import static io.sparkstencil.model.ElementType.F64;
import static io.sparkstencil.model.ElementType.I32;
import static io.sparkstencil.model.ElementType.I64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of docs/semantics.md: sum, mean, minimum, maximum, count, weighted sum. */
class ResultTypesTest {
  private static List<ElementType> row(ResultTypes types, ElementType cells) {
    return List.of(
        types.of(cells, Reduction.SUM),
        types.of(cells, Reduction.MEAN),
        types.of(cells, Reduction.MIN),
        types.of(cells, Reduction.MAX),
        types.of(cells, Reduction.COUNT),
        types.of(cells, Reduction.WEIGHTED_SUM));
  }

  @Test
  void columnsFollowSparksAggregates() {
    assertThat(row(ResultTypes.COLUMN, F32)).containsExactly(F64, F64, F32, F32, I64, F64);
    assertThat(row(ResultTypes.COLUMN, F64)).containsExactly(F64, F64, F64, F64, I64, F64);
    assertThat(row(ResultTypes.COLUMN, I32)).containsExactly(I64, F64, I32, I32, I64, F64);
    assertThat(row(ResultTypes.COLUMN, I64)).containsExactly(I64, F64, I64, I64, I64, F64);
  }

  @Test
  void arraysKeepFloatsAndDoubles() {
    assertThat(row(ResultTypes.ARRAY, F32)).containsExactly(F32, F32, F32, F32, I32, F32);
    assertThat(row(ResultTypes.ARRAY, F64)).containsExactly(F64, F64, F64, F64, I32, F64);
    assertThat(row(ResultTypes.ARRAY, I32)).containsExactly(I64, F64, I32, I32, I32, F64);
    assertThat(row(ResultTypes.ARRAY, I64)).containsExactly(I64, F64, I64, I64, I32, F64);
  }

  @Test
  void whoeverNamesAnotherClassOfResultsIsToldTheRightOne() {
    StencilSpec spec = StencilSpec.ofArrays(I64, Stencil.mean(Frame.radius(1)));
    spec.requireResults(double[].class);
    assertThatThrownBy(() -> spec.requireResults(long[].class))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("results of mean are double[] here, not long[]");
  }
}
