/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Which tile it is: a row of Spark's with the columns that tell its raster from others, and its
 * numbers along rows and columns. Those of one tile have the same bytes.
 *
 * @param row borrowed
 */
record TileKey(UnsafeRow row) {
  /** Reads a key out of its bytes, which stay its own. */
  static TileKey of(byte[] bytes, int fields) {
    UnsafeRow row = new UnsafeRow(fields);
    row.pointTo(bytes, bytes.length);
    return new TileKey(row);
  }

  long rowNumber() {
    return row.getLong(row.numFields() - 2);
  }

  long columnNumber() {
    return row.getLong(row.numFields() - 1);
  }

  /** Returns the bytes of the key of another tile of the raster. */
  byte[] beside(long rowNumber, long columnNumber) {
    UnsafeRow other = row.copy();
    other.setLong(row.numFields() - 2, rowNumber);
    other.setLong(row.numFields() - 1, columnNumber);
    return other.getBytes();
  }

  /** Returns what all tiles of the raster have. */
  ByteBuffer raster() {
    return ByteBuffer.wrap(beside(0, 0));
  }

  /** Returns to which of some tasks a tile belongs while it is on no executor. */
  static int bucket(byte[] key, int buckets) {
    int hash = Arrays.hashCode(key) * 0x9E3779B1; // neighbours far from each other
    return Math.floorMod(hash ^ (hash >>> 16), buckets);
  }
}
