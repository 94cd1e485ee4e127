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
    return record(HEAD, tile.key(), Long.BYTES + 4 * Integer.BYTES)
        .putLong(tile.check())
        .putInt(rows.before())
        .putInt(columns.before())
        .putInt(rows.cells())
        .putInt(columns.cells())
        .array();
  }

  /** Returns the record of a piece for the tile of a key. */
  static byte[] piece(byte[] key, byte[] piece) {
    return record(PIECE, key, piece.length).put(piece).array();
  }

  private static ByteBuffer record(byte kind, byte[] key, int more) {
    return ByteBuffer.allocate(1 + Integer.BYTES + key.length + more)
        .put(kind)
        .putInt(key.length)
        .put(key);
  }

  /** Returns the key of the tile that a record is for. */
  static byte[] key(byte[] record) {
    return TileStrips.take(ByteBuffer.wrap(record).position(1));
  }

  /** Returns the rim of a tile, once. */
  Rim take(byte[] key) {
    ByteBuffer wanted = ByteBuffer.wrap(key);
    while (!waiting.containsKey(wanted) && ahead != null) {
      readPlace();
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

  /**
   * Reads all that have the next place. That is one tile, or some where strips were cut again after
   * a failure, from rows that came in another order.
   */
  private void readPlace() {
    long place = ahead._1();
    Map<ByteBuffer, List<byte[]>> pieces = new HashMap<>();
    while (ahead != null && ahead._1() == place) {
      ByteBuffer bytes = ByteBuffer.wrap(ahead._2());
      byte kind = bytes.get();
      ByteBuffer key = ByteBuffer.wrap(TileStrips.take(bytes));
      List<byte[]> ofTile = pieces.computeIfAbsent(key, any -> new ArrayList<>());
      if (kind == HEAD) {
        long check = bytes.getLong();
        waiting.put(
            key,
            new Rim(check, bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt(), ofTile));
      } else {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        ofTile.add(piece);
      }
      advance();
    }
  }
}
