/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.tiles.TileAxes.Axes;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Wide;
import io.sparkstencil.spark.catalyst.tiles.TileReach.AxisReach;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** What is known of a raster goes where its tiles are, and nowhere else. */
final class TileAxesTest {
  private static final int FIELDS = 3;
  private static final List<String> NAMES = List.of("r", "c");

  private static byte[] key(long raster, long row, long column) {
    UnsafeRow key = new UnsafeRow(FIELDS);
    byte[] bytes = new byte[8 + FIELDS * 8];
    key.pointTo(bytes, bytes.length);
    key.setLong(0, raster);
    key.setLong(1, row);
    key.setLong(2, column);
    return bytes;
  }

  /** Raster 1 has tiles of 3 x 5 and 4 x 5 cells in buckets 0 and 2, raster 2 one in bucket 2. */
  private static List<Tuple2<Integer, byte[]>> found() {
    List<byte[]> tiles =
        List.of(
            TileAxes.ofTile(key(1, 0, 7), 0, 3, 5),
            TileAxes.ofTile(key(1, 1, 7), 2, 4, 5),
            TileAxes.ofTile(key(2, 0, 0), 2, 9, 9));
    List<Tuple2<Integer, byte[]>> found = new ArrayList<>();
    TileAxes.found(tiles.iterator(), FIELDS).forEachRemaining(found::add);
    return found;
  }

  private static Map<ByteBuffer, Axes> ofBucket(int bucket) {
    return TileAxes.read(found().stream().filter(each -> each._1() == bucket).iterator(), NAMES);
  }

  @Test
  void goOnlyToTheBucketsOfTheirTiles() {
    ByteBuffer first = TileKey.of(key(1, 5, 5), FIELDS).raster();
    ByteBuffer second = TileKey.of(key(2, 5, 5), FIELDS).raster();

    assertThat(found()).hasSize(3);
    assertThat(ofBucket(0)).containsOnlyKeys(first);
    assertThat(ofBucket(1)).isEmpty();
    assertThat(ofBucket(2)).containsOnlyKeys(first, second);
  }

  @Test
  void haveAllTilesOfTheRaster() {
    Axes axes = ofBucket(0).get(TileKey.of(key(1, 0, 0), FIELDS).raster());
    AxisReach reach = new AxisReach(2, 2, false);

    assertThat(axes.rows().wide(0, reach)).isEqualTo(new Wide(0, 3 + 2));
    assertThat(axes.rows().wide(1, reach)).isEqualTo(new Wide(2, 2 + 4));
    assertThat(axes.columns().wide(7, reach)).isEqualTo(new Wide(0, 5));
  }
}
