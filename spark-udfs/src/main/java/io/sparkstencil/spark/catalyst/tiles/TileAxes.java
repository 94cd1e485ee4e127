/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.tiles.TileAxis.TileSize;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import scala.Tuple2;

/**
 * The numbers and sizes of the tiles along both axes of rasters. The task to which a raster belongs
 * {@link #found finds} them, and those of the buckets in which it has tiles {@link #read} them; no
 * task, nor the driver, has those of all rasters.
 */
final class TileAxes {
  private static final int TILE_BYTES = Long.BYTES + Integer.BYTES;

  private TileAxes() {}

  /** The axes of a raster. */
  record Axes(TileAxis rows, TileAxis columns) {}

  /** What is known of a raster. */
  private record Sizes(Set<TileSize> rows, Set<TileSize> columns, BitSet buckets) {
    Sizes() {
      this(new HashSet<>(), new HashSet<>(), new BitSet());
    }
  }

  /**
   * Returns what a tile adds to its raster.
   *
   * @param bucket of the tile
   */
  static byte[] ofTile(byte[] key, int bucket, int rows, int columns) {
    return ByteBuffer.allocate(3 * Integer.BYTES + key.length)
        .putInt(bucket)
        .putInt(rows)
        .putInt(columns)
        .put(key)
        .array();
  }

  /**
   * Adds up what tiles add to their rasters.
   *
   * @param keyFields the columns of a key
   * @return the sizes of each raster, for each of its buckets
   */
  static Iterator<Tuple2<Integer, byte[]>> found(Iterator<byte[]> tiles, int keyFields) {
    Map<ByteBuffer, Sizes> rasters = new HashMap<>();
    while (tiles.hasNext()) {
      ByteBuffer tile = ByteBuffer.wrap(tiles.next());
      int bucket = tile.getInt();
      int rows = tile.getInt();
      int columns = tile.getInt();
      byte[] bytes = new byte[tile.remaining()];
      tile.get(bytes);
      TileKey key = TileKey.of(bytes, keyFields);
      Sizes sizes = rasters.computeIfAbsent(key.raster(), any -> new Sizes());
      sizes.rows().add(new TileSize(key.rowNumber(), rows));
      sizes.columns().add(new TileSize(key.columnNumber(), columns));
      sizes.buckets().set(bucket);
    }
    return rasters.entrySet().stream()
        .flatMap(raster -> forBuckets(raster.getKey().array(), raster.getValue()))
        .iterator();
  }

  private static Stream<Tuple2<Integer, byte[]>> forBuckets(byte[] raster, Sizes sizes) {
    int tiles = sizes.rows().size() + sizes.columns().size();
    ByteBuffer bytes =
        ByteBuffer.allocate(
            3 * Integer.BYTES + raster.length + Math.multiplyExact(tiles, TILE_BYTES));
    bytes.putInt(raster.length).put(raster);
    for (Set<TileSize> axis : List.of(sizes.rows(), sizes.columns())) {
      bytes.putInt(axis.size());
      axis.forEach(tile -> bytes.putLong(tile.number()).putInt(tile.cells()));
    }
    return sizes.buckets().stream().mapToObj(bucket -> new Tuple2<>(bucket, bytes.array()));
  }

  /**
   * Returns the axes of each raster of a bucket.
   *
   * @param rasters the sizes that were found
   * @param names the columns with the numbers of tiles
   * @throws io.sparkstencil.error.BadDataException if tiles do not fit
   */
  static Map<ByteBuffer, Axes> read(Iterator<Tuple2<Integer, byte[]>> rasters, List<String> names) {
    Map<ByteBuffer, Axes> axes = new HashMap<>();
    while (rasters.hasNext()) {
      ByteBuffer bytes = ByteBuffer.wrap(rasters.next()._2());
      ByteBuffer raster = ByteBuffer.wrap(TileStrips.take(bytes));
      axes.put(raster, new Axes(axis(names.get(0), bytes), axis(names.get(1), bytes)));
    }
    return axes;
  }

  private static TileAxis axis(String name, ByteBuffer bytes) {
    Set<TileSize> tiles = new HashSet<>();
    for (int tile = bytes.getInt(); tile > 0; tile--) {
      tiles.add(new TileSize(bytes.getLong(), bytes.getInt()));
    }
    return TileAxis.of(name, tiles);
  }
}
