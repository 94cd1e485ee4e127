/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FieldBoxTest {
  private static final Box BOX = Box.between(List.of(4L, 2L), List.of(6L, 5L));

  @Test
  void partsHaveTheCellsOfTheirPositions() {
    FieldBox box =
        new FieldBox(
            BOX, Map.of("v", new double[] {1, 2, 3, 4, 5, 6}, "u", new float[] {1, 2, 3, 4, 5, 6}));

    FieldBox part = box.part(Box.between(List.of(4L, 3L), List.of(6L, 5L)));

    assertThat(part.fields()).containsExactly("u", "v");
    assertThat(part.box().origin()).containsExactly(4L, 3L);
    assertThat(part.cells("u")).isEqualTo(new float[] {2, 3, 5, 6});
    assertThat(part.cells("v")).isEqualTo(new double[] {2, 3, 5, 6});
  }

  @Test
  void refusesCellsThatAreNoneOfTheBox() {
    assertThatThrownBy(() -> new FieldBox(BOX, Map.of("u", new float[5])))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage("field u has 5 cells in a box with the sizes [2, 3]; use 6");
    assertThatThrownBy(() -> new FieldBox(BOX, Map.of("u", new int[6])))
        .hasMessage("the cells of field u in a box are int[]; use an array of float or double");
    assertThatThrownBy(() -> new FieldBox(BOX, Map.of()))
        .hasMessage("a box at [4, 2] has no fields");
    assertThatThrownBy(() -> new FieldBox(BOX, Map.of("u", new float[6])).cells("v"))
        .hasMessage("a box at [4, 2] has the fields [u] and not v");
  }
}
