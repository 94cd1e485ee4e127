/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results computed by hand. */
class ReferenceEngineTest {
  private static Segment<Void> run(Stencil stencil, Object cells, byte[] validity) {
    int length = java.lang.reflect.Array.getLength(cells);
    Segment<Void> segment = new Segment<>(null, cells, validity, 0, length, null, null, 1);
    ElementType type =
        cells instanceof float[]
            ? ElementType.F32
            : cells instanceof double[]
                ? ElementType.F64
                : cells instanceof int[] ? ElementType.I32 : ElementType.I64;
    try (ReferenceEngine engine = new ReferenceEngine();
        PartitionPipeline<Segment<Void>, ?, Segment<Void>> pipeline =
            PartitionPipeline.ofSegments(
                engine, List.of(new StencilSpec(stencil, type)), 1 << 16)) {
      return pipeline.run(List.of(segment).iterator()).next();
    }
  }

  @Test
  void cutsFramesAtTheEdge() {
    Segment<Void> mean = run(Stencil.mean(Frame.radius(1)), new double[] {1, 3, 8, 4}, null);
    assertThat((double[]) mean.result(0, ElementType.F64)).containsExactly(2, 4, 5, 6);
    assertThat(mean.resultValidity(0)).isNull();
  }

  @Test
  void skipsNullsAndIsNullWhereNothingIsLeft() {
    byte[] validity = {1, 0, 0, 0, 1};
    long[] cells = {5, 100, 100, 100, 7};
    Segment<Void> sum = run(Stencil.sum(Frame.radius(1)), cells, validity);
    assertThat((long[]) sum.result(0, ElementType.I64)).containsExactly(5, 5, 0, 7, 7);
    assertThat(sum.resultValidity(0)).containsExactly(1, 1, 0, 1, 1);
    Segment<Void> count = run(Stencil.count(Frame.radius(1)), cells, validity);
    assertThat((long[]) count.result(0, ElementType.I64)).containsExactly(1, 1, 0, 1, 1);
    assertThat(count.resultValidity(0)).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void aWeightedSumIsNullWhereATapIs() {
    Stencil slope = Stencil.weighted(Frame.radius(1), -1, 0, 1).withBoundary(Boundary.NEAREST);
    Segment<Void> result =
        run(slope, new int[] {1, 2, 4, 8, 16, 32}, new byte[] {1, 1, 1, 0, 1, 1});
    assertThat(result.resultValidity(0)).containsExactly(1, 1, 0, 0, 0, 1);
    assertThat(((int[]) result.result(0, ElementType.I32))[1]).isEqualTo(3);
  }

  @Test
  void ordersNanLastAndKeepsTheEarliestZero() {
    float[] cells = {Float.NaN, -0.0f, 0.0f, Float.NaN};
    float[] min =
        (float[])
            run(Stencil.min(Frame.precedingFollowing(0, 1)), cells, null)
                .result(0, ElementType.F32);
    assertThat(min).containsExactly(-0.0f, -0.0f, 0.0f, Float.NaN);
    float[] max =
        (float[])
            run(Stencil.max(Frame.precedingFollowing(0, 1)), cells, null)
                .result(0, ElementType.F32);
    assertThat(max).containsExactly(Float.NaN, -0.0f, Float.NaN, Float.NaN);
  }

  @Test
  void wrapsIntegers() {
    int[] cells = {Integer.MAX_VALUE, 1, -6};
    Stencil sum = Stencil.sum(Frame.precedingFollowing(1, 0));
    assertThat((int[]) run(sum, cells, null).result(0, ElementType.I32))
        .containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, -5);
  }

  @Test
  void isNullUnderValidWhereTheFrameIsNotWhole() {
    Segment<Void> result =
        run(
            Stencil.sum(Frame.precedingFollowing(2, 0)).withBoundary(Boundary.VALID),
            new double[] {1, 2, 3, 4},
            null);
    assertThat(result.resultValidity(0)).containsExactly(0, 0, 1, 1);
    assertThat((double[]) result.result(0, ElementType.F64)).endsWith(6, 9);
  }
}
