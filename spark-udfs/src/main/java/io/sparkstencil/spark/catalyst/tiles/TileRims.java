/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Wide;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import scala.Tuple2;

/**
 * The rims of the tiles of a partition, which come in the order that the tiles had when their
 * strips were cut; those of tiles that come in another order now wait in memory.
 */
final class TileRims {
  private static final byte HEAD = 0;
  private static final byte PIECE = 1;

  private final Iterator<Tuple2<Long, byte[]>> records;
  private final Map<ByteBuffer, Rim> waiting = new HashMap<>();
  private Tuple2<Long, byte[]> ahead; // the first of the next tile; null at the end

  /**
   * What lies around a tile.
   *
   * @param check the sum of its strips
   * @param row where its first row lies among all of them
   * @param column where its first column lies
   * @param rows of all of it, with its surroundings
   * @param columns of all of it
   * @param pieces the surroundings that there are
   */
  record Rim(long check, int row, int column, int rows, int columns, List<byte[]> pieces) {}

  TileRims(Iterator<Tuple2<Long, byte[]>> records) {
    this.records = records;
    advance();
  }

  private void advance() {
    ahead = records.hasNext() ? records.next() : null;
  }

  /** Returns the place of a tile, by its number in a partition. */
  static long place(int partition, int number) {
    return ((long) partition << Integer.SIZE) | number;
  }

  /** Returns the partition of a place. */
  static int partition(long place) {
    return (int) (place >> Integer.SIZE);
  }

  /** Returns the record that says how large a tile is with its surroundings. */
  static byte[] head(TileStrips tile, Wide rows, Wide columns) {
    return ByteBuffer.allocate(1 + Long.BYTES + 4 * Integer.BYTES + tile.key().length)
        .put(HEAD)
        .putLong(tile.check())
        .putInt(rows.before())
        .putInt(columns.before())
        .putInt(rows.cells())
        .putInt(columns.cells())
        .put(tile.key())
        .array();
  }

  /** Returns the record of a piece. */
  static byte[] piece(byte[] piece) {
    return ByteBuffer.allocate(1 + piece.length).put(PIECE).put(piece).array();
  }

  /** Returns the rim of a tile, once. */
  Rim take(byte[] key) {
    ByteBuffer wanted = ByteBuffer.wrap(key);
    while (!waiting.containsKey(wanted) && ahead != null) {
      readTile();
    }
    Rim rim = waiting.remove(wanted);
    if (rim == null) {
      throw notTwice();
    }
    return rim;
  }

  /** Checks that no tile is left. */
  void requireAllTaken() {
    if (ahead != null || !waiting.isEmpty()) {
      throw notTwice();
    }
  }

  /** Returns what is wrong where tiles were other ones when their strips were cut. */
  static BadDataException notTwice() {
    return new BadDataException(
        "the tiles are not those whose edges were read; the query does not give the same rows twice: write them to a table first");
  }

  private void readTile() {
    long place = ahead._1();
    ByteBuffer head = null;
    List<byte[]> pieces = new ArrayList<>();
    while (ahead != null && ahead._1() == place) {
      ByteBuffer bytes = ByteBuffer.wrap(ahead._2());
      if (bytes.get() == HEAD) {
        head = bytes;
      } else {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        pieces.add(piece);
      }
      advance();
    }
    if (head == null) {
      throw notTwice();
    }
    Rim rim =
        new Rim(head.getLong(), head.getInt(), head.getInt(), head.getInt(), head.getInt(), pieces);
    byte[] key = new byte[head.remaining()];
    head.get(key);
    waiting.put(ByteBuffer.wrap(key), rim);
  }
}
