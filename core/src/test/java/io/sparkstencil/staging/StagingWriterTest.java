/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StagingWriterTest {
  private static final double[] CELLS = {-1, 1, 2, 3, 4, -1};

  private static Segment<Void> segment(byte[] validity, Halo left, Halo right) {
    return new Segment<>(null, CELLS, validity, 1, 4, left, right, 1);
  }

  /** Stages cells {@code [from, from + count)} with halos of 3 and 2 into a buffer full of 99. */
  private static HeapCellBuffer stage(
      Boundary boundary, Segment<Void> segment, int from, int count, StagingLayout layout) {
    HeapCellBuffer buffer = new HeapCellBuffer(ElementType.F64, count + 5, true);
    Arrays.fill((double[]) buffer.array(), 99);
    Arrays.fill(buffer.validity(), (byte) 9);
    new StagingWriter(ElementType.F64, boundary).stage(segment, from, count, layout, buffer, true);
    return buffer;
  }

  private static HeapCellBuffer stage(Boundary boundary, Segment<Void> segment) {
    return stage(boundary, segment, 0, 4, new StagingLayout(3, 2));
  }

  private static double[] cells(HeapCellBuffer buffer) {
    return (double[]) buffer.array();
  }

  @Test
  void fillsHalosByTheBoundaryRule() {
    Segment<Void> whole = segment(null, null, null);
    assertThat(cells(stage(Boundary.NEAREST, whole))).containsExactly(1, 1, 1, 1, 2, 3, 4, 4, 4);
    assertThat(cells(stage(Boundary.REFLECT, whole))).containsExactly(3, 2, 1, 1, 2, 3, 4, 4, 3);
    assertThat(cells(stage(Boundary.MIRROR, whole))).containsExactly(4, 3, 2, 1, 2, 3, 4, 3, 2);
    assertThat(cells(stage(Boundary.WRAP, whole))).containsExactly(2, 3, 4, 1, 2, 3, 4, 1, 2);
    assertThat(cells(stage(Boundary.constant(7), whole)))
        .containsExactly(7, 7, 7, 1, 2, 3, 4, 7, 7);
  }

  @Test
  void stagesMissingCellsAsZeroAndCountsThem() {
    StagingLayout layout = new StagingLayout(3, 2);
    HeapCellBuffer buffer = stage(Boundary.SHRINK, segment(null, null, null), 0, 4, layout);
    assertThat(cells(buffer)).containsExactly(0, 0, 0, 1, 2, 3, 4, 0, 0);
    assertThat(buffer.validity()).containsExactly(0, 0, 0, 1, 1, 1, 1, 0, 0);
    assertThat(layout.missingLeft(0)).isEqualTo(3);
    assertThat(layout.missingRight(0)).isEqualTo(2);
  }

  @Test
  void validityThatIsWrittenLaterIsThatOfCellsWithoutNulls() {
    StagingLayout layout = new StagingLayout(3, 2);
    HeapCellBuffer buffer = stage(Boundary.SHRINK, segment(null, null, null), 0, 4, layout);
    Arrays.fill(buffer.validity(), (byte) 9);
    StagingWriter.stageValid(layout, 0, buffer);
    assertThat(buffer.validity()).containsExactly(0, 0, 0, 1, 1, 1, 1, 0, 0);
  }

  @Test
  void takesHalosFromTheSegmentItselfInTheMiddle() {
    StagingLayout layout = new StagingLayout(3, 2);
    HeapCellBuffer buffer = stage(Boundary.SHRINK, segment(null, null, null), 1, 2, layout);
    assertThat(cells(buffer)).containsExactly(0, 0, 1, 2, 3, 4, 0);
    assertThat(layout.missingLeft(0)).isEqualTo(2);
    assertThat(layout.missingRight(0)).isEqualTo(1);
  }

  @Test
  void takesTheNearestOfTheHalosThatAreGiven() {
    Halo left = new Halo(new double[] {50, 51, 52, 53}, new byte[] {1, 1, 0, 1}, 0);
    Halo right = new Halo(new double[] {60, 61, 62}, null, 2);
    StagingLayout layout = new StagingLayout(3, 2);
    byte[] validity = {0, 1, 0, 1, 1, 0};
    HeapCellBuffer buffer = stage(Boundary.VALID, segment(validity, left, right), 0, 4, layout);
    assertThat(cells(buffer)).containsExactly(51, 52, 53, 1, 2, 3, 4, 60, 0);
    assertThat(buffer.validity()).containsExactly(1, 0, 1, 1, 0, 1, 1, 1, 0);
    assertThat(layout.missingLeft(0)).isZero();
    assertThat(layout.missingRight(0)).isEqualTo(1);
  }

  @Test
  void copiesNullsWhereTheRuleCopiesCells() {
    byte[] validity = {0, 1, 0, 1, 0, 0};
    assertThat(stage(Boundary.WRAP, segment(validity, null, null)).validity())
        .containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0);
    assertThat(stage(Boundary.constant(1), segment(validity, null, null)).validity())
        .containsExactly(1, 1, 1, 1, 0, 1, 0, 1, 1);
  }

  @Test
  void refusesHalosThatAreTooShort() {
    Halo shortHalo = new Halo(new double[2], null, 0);
    assertThatThrownBy(() -> stage(Boundary.SHRINK, segment(null, shortHalo, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("left halo has 2 cells")
        .hasMessageContaining("needs 3");
  }
}
