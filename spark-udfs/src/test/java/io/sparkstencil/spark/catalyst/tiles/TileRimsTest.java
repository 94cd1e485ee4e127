/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Wide;
import java.util.List;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Each tile finds its own rim. */
final class TileRimsTest {
  private static final byte[] FIRST = {1, 2, 3};
  private static final byte[] SECOND = {4, 5, 6};

  private static Tuple2<Long, byte[]> head(long place, byte[] key, int rows) {
    TileStrips tile = new TileStrips(place, key, rows, 1, rows, List.of());
    return new Tuple2<>(place, TileRims.head(tile, new Wide(1, rows), new Wide(0, 1)));
  }

  private static Tuple2<Long, byte[]> piece(long place, byte[] key, int cell) {
    return new Tuple2<>(place, TileRims.piece(key, new byte[] {(byte) cell}));
  }

  /** As after a failure: strips were cut again, from rows that came in another order. */
  @Test
  void tilesOfOnePlaceKeepTheirOwnPieces() {
    TileRims rims =
        new TileRims(
            List.of(
                    piece(7, SECOND, 3),
                    head(7, FIRST, 10),
                    piece(7, FIRST, 1),
                    head(7, SECOND, 20),
                    piece(7, FIRST, 2))
                .iterator());

    TileRims.Rim first = rims.take(FIRST);
    TileRims.Rim second = rims.take(SECOND);

    assertThat(first.rows()).isEqualTo(10);
    assertThat(first.pieces()).containsExactly(new byte[] {1}, new byte[] {2});
    assertThat(second.rows()).isEqualTo(20);
    assertThat(second.pieces()).containsExactly(new byte[] {3});
    assertThat(first.check()).isNotEqualTo(second.check());
    rims.requireAllTaken();
  }

  @Test
  void refusesTilesThatWereNotThereAndThoseThatAreLeft() {
    TileRims rims = new TileRims(List.of(head(1, FIRST, 10), piece(1, FIRST, 1)).iterator());

    assertThatThrownBy(() -> rims.take(SECOND)).isInstanceOf(BadDataException.class);
    assertThatThrownBy(rims::requireAllTaken)
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("the query does not give the same rows twice");
  }
}
