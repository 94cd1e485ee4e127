/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;

/**
 * What other tiles may need of one: its first and last rows and columns.
 *
 * @param place the partition of the tile and its number there, as {@link TileRims} has them
 * @param key its numbers and its raster, as {@link TileKey} has them
 * @param rows of the tile
 * @param columns of the tile
 * @param strips the bytes of {@link TilePiece pieces}, which lie where they are in the tile
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record TileStrips(long place, byte[] key, int rows, int columns, List<byte[]> strips) {
  private static final int HEAD = Long.BYTES + 3 * Integer.BYTES;

  /** Cuts the strips of a tile. */
  static TileStrips of(
      long place, byte[] key, List<UnsafeArrayData> tile, TileReach reach, int cellBytes) {
    int rows = tile.size();
    int columns = rows == 0 ? 0 : tile.get(0).numElements();
    int top = Math.min(rows, reach.rows().high());
    int bottom = Math.min(rows, reach.rows().low());
    int left = Math.min(columns, reach.columns().high());
    int right = Math.min(columns, reach.columns().low());
    List<byte[]> strips = new ArrayList<>();
    for (TilePiece strip :
        List.of(
            new TilePiece(0, 0, top, columns),
            new TilePiece(rows - bottom, 0, bottom, columns),
            new TilePiece(0, 0, rows, left),
            new TilePiece(0, columns - right, rows, right))) {
      strips.add(strip.cut(tile, cellBytes));
    }
    return new TileStrips(place, key, rows, columns, strips);
  }

  /** Returns a part of the tile, which one of the strips has. */
  byte[] part(TilePiece part, int toRow, int toColumn, int cellBytes) {
    for (byte[] strip : strips) {
      TilePiece piece = TilePiece.of(strip);
      if (piece.contains(part)) {
        return piece.part(strip, part, toRow, toColumn, cellBytes);
      }
    }
    throw new IllegalStateException(
        "no strip of %d x %d cells has %s".formatted(rows, columns, part));
  }

  /** Returns a sum over the strips, which differs where cells do. */
  long check() {
    CRC32C sum = new CRC32C();
    strips.forEach(sum::update);
    return sum.getValue();
  }

  /** Returns all of it as bytes. */
  byte[] bytes() {
    int length = HEAD + key.length;
    for (byte[] strip : strips) {
      length = Math.addExact(length, Integer.BYTES + strip.length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.putLong(place).putInt(rows).putInt(columns).putInt(key.length).put(key);
    strips.forEach(strip -> bytes.putInt(strip.length).put(strip));
    return bytes.array();
  }

  /** Reads what {@link #bytes} has written. */
  static TileStrips of(byte[] all) {
    ByteBuffer bytes = ByteBuffer.wrap(all);
    long place = bytes.getLong();
    int rows = bytes.getInt();
    int columns = bytes.getInt();
    byte[] key = take(bytes);
    List<byte[]> strips = new ArrayList<>();
    while (bytes.hasRemaining()) {
      strips.add(take(bytes));
    }
    return new TileStrips(place, key, rows, columns, strips);
  }

  /** Reads bytes behind their number. */
  static byte[] take(ByteBuffer bytes) {
    byte[] taken = new byte[bytes.getInt()];
    bytes.get(taken);
    return taken;
  }
}
