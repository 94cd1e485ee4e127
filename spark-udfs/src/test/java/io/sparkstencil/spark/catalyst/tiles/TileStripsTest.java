/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.tiles.TileReach.AxisReach;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.junit.jupiter.api.Test;

/** The sum over the strips of a tile tells tiles apart by what others see of them. */
final class TileStripsTest {
  private static final int ROWS = 6;
  private static final int COLUMNS = 7;
  private static final TileReach REACH =
      new TileReach(new AxisReach(1, 2, false), new AxisReach(2, 1, false));

  private static List<UnsafeArrayData> tile() {
    List<UnsafeArrayData> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      float[] cells = new float[COLUMNS];
      for (int x = 0; x < COLUMNS; x++) {
        cells[x] = 10 * i + x;
      }
      rows.add(UnsafeArrayData.fromPrimitiveArray(cells));
    }
    return rows;
  }

  private static long check(List<UnsafeArrayData> tile) {
    return TileStrips.check(tile, REACH, Float.BYTES);
  }

  /** Tiles above need rows that lie first, those to the left need columns that do. */
  private static boolean isSeen(int row, int column) {
    return row < 2 || row >= ROWS - 1 || column < 1 || column >= COLUMNS - 2;
  }

  @Test
  void differsWhereACellOfAStripDoes() {
    for (int row = 0; row < ROWS; row++) {
      for (int column = 0; column < COLUMNS; column++) {
        List<UnsafeArrayData> changed = tile();
        changed.get(row).setFloat(column, -1);
        List<UnsafeArrayData> missing = tile();
        missing.get(row).setNullAt(column);

        assertThat(check(changed) != check(tile())).isEqualTo(isSeen(row, column));
        assertThat(check(missing) != check(tile())).isEqualTo(isSeen(row, column));
        assertThat(check(missing) != check(changed)).isEqualTo(isSeen(row, column));
      }
    }
  }

  @Test
  void goesWithTheStrips() {
    TileStrips strips = TileStrips.of(3, new byte[] {1}, tile(), REACH, Float.BYTES);

    TileStrips read = TileStrips.of(strips.bytes());

    assertThat(read.check()).isEqualTo(check(tile()));
    assertThat(read.rows()).isEqualTo(ROWS);
    assertThat(read.columns()).isEqualTo(COLUMNS);
    assertThat(read.place()).isEqualTo(3);
  }
}
