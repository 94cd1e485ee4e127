/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlacedProgramTest {
  private static final StencilProgram PROGRAM =
      ProgramText.parse("u' = 0.5*u[-1,0] + a*x*y + 0*y; v' = v[0,0] - x + u'");
  private static final Extent EXTENT = Extent.of(5, 7);
  private static final ParameterValues VALUES = (parameter, step) -> 0.1 * (step + 1);

  private static List<Object> arrays(ElementType type) {
    return List.of(type.newArray(EXTENT.cells()), type.newArray(EXTENT.cells()));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 5, 7",
    "3, 0, 100, 7",
    "0, 0, 6, 9",
    "90, 12, 100, 19",
    "-2, -7, 5, 7",
    "-5, 4, 5, 8",
    "98, 16777200, 100, 16777216"
  })
  void hasTheBitsOfTheProgramInItsPlace(long x, long y, long height, long width) {
    Placement placement = new Placement(List.of(x, y), List.of(height, width));
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      List<Object> expected = arrays(type);
      List<Object> actual = arrays(type);
      PlacedProgram placed = PlacedProgram.of(PROGRAM, type, EXTENT, placement);

      ProgramReference.run(
          PROGRAM, new ProgramArrays(type, EXTENT, expected, placement), VALUES, 3);
      ProgramReference.run(
          placed.program(), new ProgramArrays(type, EXTENT, actual), placed.parameters(VALUES), 3);

      assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
    }
  }

  @Test
  void partsInsideTheGridHaveOneProgram() {
    List<Long> grid = List.of(100L, 100L);
    StencilProgram one =
        PlacedProgram.of(PROGRAM, ElementType.F32, EXTENT, new Placement(List.of(5L, 9L), grid))
            .program();
    StencilProgram other =
        PlacedProgram.of(PROGRAM, ElementType.F32, EXTENT, new Placement(List.of(50L, 0L), grid))
            .program();

    assertThat(other).isEqualTo(one);
    assertThat(one.digest()).isNotEqualTo(PROGRAM.digest());
    assertThat(
            PlacedProgram.of(PROGRAM, ElementType.F32, EXTENT, Placement.whole(EXTENT)).program())
        .isSameAs(PROGRAM);
  }

  @Test
  void refusesPositionsThatTheTypeCannotCount() {
    long most = 1L << 24;
    Placement large = new Placement(List.of(most - 4, 0L), List.of(most + 1, 7L));
    Placement around = new Placement(List.of(-5L, 0L), List.of(2L, 7L));

    assertThatThrownBy(() -> PlacedProgram.of(PROGRAM, ElementType.F32, EXTENT, large))
        .isInstanceOf(UnsupportedStencilException.class)
        .hasMessageContaining("axis x of 16777217 cells")
        .hasMessageContaining("use the CPU");
    assertThatCode(() -> PlacedProgram.of(PROGRAM, ElementType.F64, EXTENT, large))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> PlacedProgram.of(PROGRAM, ElementType.F64, EXTENT, around))
        .isInstanceOf(UnsupportedStencilException.class)
        .hasMessageContaining("once around");
  }
}
