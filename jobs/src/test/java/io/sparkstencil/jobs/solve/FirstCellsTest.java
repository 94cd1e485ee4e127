/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.grid.CellFunction;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** First cells by expressions and by names. */
final class FirstCellsTest {
  private static final List<Long> SHAPE = List.of(100L, 40L);

  @Test
  void cellsOfABoxAreThoseOfTheirPositionsInTheGrid() {
    PositionFormula formula = new PositionFormula("where(x < 12, x/nx, 100*y - ny)", SHAPE);

    double[] cells = formula.values(new Box(List.of(10L, 30L), Extent.of(4, 2)));

    assertThat(cells).containsExactly(0.1, 0.1, 11.0 / 100, 11.0 / 100, 2960, 3060, 2960, 3060);
  }

  @Test
  void cellsAreRoundedToTheTypeOfTheGrid() {
    PositionFormula formula = new PositionFormula("x/3", List.of(100_000_000L));
    Box box = new Box(List.of(50_000_001L), Extent.of(1));

    try (FieldReader reader = formula.open(new Configuration(false))) {
      assertThat(reader.shape()).containsExactly(100_000_000L);
      assertThat((double[]) reader.read(box, ElementType.F64)).containsExactly(50_000_001 / 3.0);
      assertThat((float[]) reader.read(box, ElementType.F32))
          .containsExactly((float) (50_000_001 / 3.0));
    }
  }

  @Test
  void piecesHaveTheCellsOfTheWholeAndTakeWhatTheySay() {
    PositionFormula formula = new PositionFormula("x/nx + 3*y", SHAPE);
    Box box = new Box(List.of(7L, 3L), Extent.of(80, 33));
    double[] whole = formula.values(box);

    try (FieldReader reader = formula.open(new Configuration(false))) {
      int cell = 0;
      for (Box piece : reader.pieces(box, 100)) {
        assertThat(piece.cells()).isLessThanOrEqualTo(100);
        assertThat(reader.heapBytes(piece)).isEqualTo(piece.cells() * 24L);
        double[] cells = (double[]) reader.read(piece, ElementType.F64);
        assertThat(cells).isEqualTo(Arrays.copyOfRange(whole, cell, cell + cells.length));
        cell += cells.length;
      }
      assertThat(cell).isEqualTo(whole.length);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u[0,1] + x|the first cells are written with u, which has none yet",
        "a*x|unknown name a; use the position [x, y], the cells along the axes [nx, ny]",
        "sine(x)|line 1, column 1: unknown function sine",
        "1 + sine(x)|line 1, column 5: unknown function sine",
        "x +|line 1, column 4: the text ends too early",
        "1; v' = 2|line 1, column 2: unexpected",
        "t = x|line 1, column 3: unexpected",
        "z|unknown name z"
      })
  void refusesWhatIsNoExpressionOverPositions(String text, String message) {
    assertThatThrownBy(() -> new PositionFormula(text, SHAPE))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gaussian|SHAPE",
        "x/nx|EXPRESSION",
        "where(x < 12, x/nx, 0.5)|EXPRESSION",
        "x.zarr/t2m|FILE",
        "x.zarr/|FILE",
        "file:///data/x.zarr/t2m|FILE",
        "U.NPY|FILE",
        "field.nc|FILE",
        "store/t2m|FILE",
        "first|FILE"
      })
  void tellsPathsFromExpressions(String text, GivenCells.CellNotation kind) {
    Predicate<String> exists = List.of("x/nx", "store/t2m", "first")::contains;

    assertThat(GivenCells.of(text, SHAPE, exists)).isEqualTo(new GivenCells(text, kind));
  }

  @Test
  void saysThatATextIsNeitherAnExpressionNorAFile() {
    assertThatThrownBy(() -> GivenCells.of("store/t2m", SHAPE, path -> false))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("unknown name store")
        .hasMessageContaining("nor is there a file store/t2m");
    assertThatThrownBy(() -> GivenCells.of("x +", SHAPE, path -> false))
        .hasMessageContaining("line 1, column")
        .hasMessageNotContaining("file");
  }

  @Test
  void theGaussianIsABellInTheMiddle() {
    CellFunction bell = NamedShape.named("gaussian").orElseThrow().over(SHAPE);

    assertThat(bell.value(new long[] {50, 20})).isCloseTo(1, within(0.02));
    assertThat(bell.value(new long[] {30, 11}))
        .isCloseTo(bell.value(new long[] {69, 28}), within(1e-15));
    assertThat(bell.value(new long[] {59, 20}) / bell.value(new long[] {49, 20}))
        .isCloseTo(Math.exp(-(0.095 * 0.095 - 0.005 * 0.005) / 0.02), within(1e-12));
  }

  @Test
  void thePlaneWaveHasFourPeriodsAlongTheLastAxis() {
    CellFunction wave = NamedShape.named("plane-wave").orElseThrow().over(SHAPE);

    assertThat(wave.value(new long[] {3, 7})).isEqualTo(wave.value(new long[] {90, 7}));
    assertThat(wave.value(new long[] {3, 17}))
        .isCloseTo(wave.value(new long[] {3, 7}), within(1e-12));
    assertThat(wave.value(new long[] {3, 2})).isCloseTo(1, within(1e-12));
    assertThat(NamedShape.named("x")).isEmpty();
  }
}
