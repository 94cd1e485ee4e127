/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What arrays of faces take of the heap. */
final class FaceLogTest {
  @Test
  void largeArraysTakeWholeRegions() {
    int region = 8 << 20;
    assertThat(FaceLog.heapBytes(1000, region)).isEqualTo(1016);
    assertThat(FaceLog.heapBytes(region / 2 - 16, region)).isEqualTo(region / 2);
    assertThat(FaceLog.heapBytes(region / 2, region)).isEqualTo(region);
    assertThat(FaceLog.heapBytes(24 << 20, 32 << 20)).isEqualTo(32 << 20);
    assertThat(FaceLog.heapBytes(24 << 20, region)).isEqualTo(32 << 20);
    assertThat(FaceLog.heapBytes(24 << 20, 1)).as("without regions").isEqualTo((24 << 20) + 16);
    assertThat(FaceLog.heapBytes(1 << 20)).isGreaterThan(1 << 20);
  }
}
