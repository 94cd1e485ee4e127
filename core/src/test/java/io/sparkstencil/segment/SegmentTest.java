/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.ElementType;
import org.junit.jupiter.api.Test;

class SegmentTest {
  @Test
  void refusesCellsOutsideItsArray() {
    for (int[] bad : new int[][] {{-1, 2}, {0, -1}, {2, 2}, {1, Integer.MAX_VALUE}}) {
      assertThatThrownBy(() -> new Segment<>(null, new int[3], null, bad[0], bad[1], null, null, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("array of 3");
    }
    assertThatThrownBy(() -> new Segment<>(null, new int[3], new byte[2], 1, 2, null, null, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("validity has 2");
  }

  @Test
  void refusesHalosThatDoNotMatch() {
    assertThatThrownBy(() -> new Halo(new float[2], new byte[3], 0))
        .hasMessageContaining("3 entries for 2 cells");
    assertThatThrownBy(() -> new Halo(new float[2], null, 3))
        .hasMessageContaining("missing is 3 of 2");
    assertThatThrownBy(() -> new Halo(new float[2], null, -1))
        .hasMessageContaining("missing is -1");
  }

  @Test
  void knowsWhetherACellMayBeNull() {
    Halo plain = new Halo(new long[1], null, 0);
    Halo withNulls = new Halo(new long[1], new byte[1], 0);
    assertThat(new Segment<>(null, new long[1], null, 0, 1, plain, null, 0).hasNulls()).isFalse();
    assertThat(new Segment<>(null, new long[1], null, 0, 1, withNulls, plain, 0).hasNulls())
        .isTrue();
    assertThat(new Segment<>(null, new long[1], null, 0, 1, plain, withNulls, 0).hasNulls())
        .isTrue();
    assertThat(new Segment<>(null, new long[1], new byte[1], 0, 1, null, null, 0).hasNulls())
        .isTrue();
  }

  @Test
  void makesArraysForResults() {
    Segment<String> segment = Segment.series("key", new double[] {1, 2}, 2);
    assertThat((double[]) segment.result(0, ElementType.F64)).hasSize(2);
    assertThat(segment.attachment()).isEqualTo("key");
  }
}
