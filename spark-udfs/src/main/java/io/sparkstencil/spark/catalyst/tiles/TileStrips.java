/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;

/**
 * What other tiles may need of one: its first and last rows and columns.
 *
 * @param place the partition of the tile and its number there, as {@link TileRims} has them
 * @param key its numbers and its raster, as {@link TileKey} has them
 * @param rows of the tile
 * @param columns of the tile
 * @param check a sum over the strips, which differs where their cells do
 * @param strips the bytes of {@link TilePiece pieces}, which lie where they are in the tile
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record TileStrips(long place, byte[] key, int rows, int columns, long check, List<byte[]> strips) {
  private static final int HEAD = 2 * Long.BYTES + 3 * Integer.BYTES;

  /** Cuts the strips of a tile. */
  static TileStrips of(
      long place, byte[] key, List<UnsafeArrayData> tile, TileReach reach, int cellBytes) {
    List<byte[]> strips =
        places(tile, reach).stream().map(strip -> strip.cut(tile, cellBytes)).toList();
    return new TileStrips(
        place, key, tile.size(), width(tile), check(tile, reach, cellBytes), strips);
  }

  /** Returns how many columns a tile has. */
  static int width(List<UnsafeArrayData> tile) {
    return tile.isEmpty() ? 0 : tile.get(0).numElements();
  }

  /** Returns where the strips of a tile lie. */
  private static List<TilePiece> places(List<UnsafeArrayData> tile, TileReach reach) {
    int rows = tile.size();
    int columns = width(tile);
    int top = Math.min(rows, reach.rows().high());
    int bottom = Math.min(rows, reach.rows().low());
    int left = Math.min(columns, reach.columns().high());
    int right = Math.min(columns, reach.columns().low());
    return List.of(
        new TilePiece(0, 0, top, columns),
        new TilePiece(rows - bottom, 0, bottom, columns),
        new TilePiece(0, 0, rows, left),
        new TilePiece(0, columns - right, rows, right));
  }

  /** Returns the sum over the strips of a tile, which are not cut. */
  static long check(List<UnsafeArrayData> tile, TileReach reach, int cellBytes) {
    long sum = 0;
    for (TilePiece strip : places(tile, reach)) {
      sum = strip.sum(tile, cellBytes, sum);
    }
    return sum;
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

  /** Returns all of it as bytes. */
  byte[] bytes() {
    int length = HEAD + key.length;
    for (byte[] strip : strips) {
      length = Math.addExact(length, Integer.BYTES + strip.length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.putLong(place).putInt(rows).putInt(columns).putLong(check).putInt(key.length).put(key);
    strips.forEach(strip -> bytes.putInt(strip.length).put(strip));
    return bytes.array();
  }

  /** Reads what {@link #bytes} has written. */
  static TileStrips of(byte[] all) {
    ByteBuffer bytes = ByteBuffer.wrap(all);
    long place = bytes.getLong();
    int rows = bytes.getInt();
    int columns = bytes.getInt();
    long check = bytes.getLong();
    byte[] key = take(bytes);
    List<byte[]> strips = new ArrayList<>();
    while (bytes.hasRemaining()) {
      strips.add(take(bytes));
    }
    return new TileStrips(place, key, rows, columns, check, strips);
  }

  /** Reads bytes behind their number. */
  static byte[] take(ByteBuffer bytes) {
    byte[] taken = new byte[bytes.getInt()];
    bytes.get(taken);
    return taken;
  }
}
