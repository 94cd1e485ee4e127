/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.TileSize;
import io.sparkstencil.spark.catalyst.tiles.TileReach.AxisReach;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TileAxisTest {
  private static final int CELLS = 4;

  private static Set<TileSize> tiles(long... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> new TileSize(number, CELLS))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({
    "-9223372036854775808, 9223372036854775807",
    "0, 9223372036854775807",
    "0, 576460752303423490",
    "-9223372036854775808, 0"
  })
  void refusesTilesThatAreTooFarApart(long first, long last) {
    assertThatThrownBy(() -> TileAxis.of("row", tiles(first, last)))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("tiles whose row is %d and %d", first, last)
        .hasMessageContaining("more than 2^61 cells");
  }

  @Test
  void tilesThatAreFarApartHaveNoPartsOfEachOther() {
    long last = (1L << 59) - 2;
    TileAxis axis = TileAxis.of("row", tiles(0, last));
    AxisReach reach = new AxisReach(3, 3, false);

    assertThat(axis.parts(last, CELLS, reach))
        .containsExactly(new TileAxis.Part(last, 0, CELLS, 3, true));
    assertThat(axis.wide(last, reach)).isEqualTo(new TileAxis.Wide(3, 3 + CELLS));
  }

  /** As far around as a program may reach: each tile has the axis once, and not 400 times. */
  @Test
  void tilesThatReachAroundHaveTheAxisOnce() {
    TileAxis axis =
        TileAxis.of("r", Set.of(new TileSize(3, 4), new TileSize(4, 4), new TileSize(5, 2)));
    AxisReach reach = new AxisReach(4096, 0, true);

    assertThat(axis.wide(4, reach)).isEqualTo(new TileAxis.Wide(4, 10));
    assertThat(axis.parts(5, 2, reach))
        .containsExactly(
            new TileAxis.Part(3, 0, 2, 8, false),
            new TileAxis.Part(4, 0, 2, 8, false),
            new TileAxis.Part(5, 0, 2, 8, true));
  }

  @Test
  void tilesThatReachLessThanAroundHaveWhatIsBeside() {
    TileAxis axis =
        TileAxis.of("r", Set.of(new TileSize(3, 4), new TileSize(4, 4), new TileSize(5, 2)));
    AxisReach reach = new AxisReach(9, 1, true);

    assertThat(axis.wide(3, reach)).isEqualTo(new TileAxis.Wide(9, 14));
    assertThat(axis.parts(4, 4, reach))
        .containsExactlyInAnyOrder(
            new TileAxis.Part(3, 0, 4, 3, false),
            new TileAxis.Part(3, 0, 1, 13, false),
            new TileAxis.Part(4, 0, 4, 9, true),
            new TileAxis.Part(4, 1, 3, 0, false),
            new TileAxis.Part(5, 0, 4, 5, false));
  }
}
