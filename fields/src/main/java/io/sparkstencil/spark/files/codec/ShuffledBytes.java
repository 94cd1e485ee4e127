/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The filter {@code shuffle}: first all first bytes of cells, then all second ones, and so on. Read
 * only.
 *
 * @param cellBytes the bytes of a cell
 */
public record ShuffledBytes(int cellBytes) implements BytesCodec {
  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) {
    byte[] shuffled = new byte[encoded.remaining()];
    encoded.duplicate().get(shuffled);
    byte[] bytes = new byte[shuffled.length];
    bytes(shuffled, cellBytes, bytes, 0);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("shuffled bytes are only read");
  }

  /** Puts bytes in the order of cells. Those behind the last whole cell are not shuffled. */
  static void bytes(byte[] shuffled, int cellBytes, byte[] to, int start) {
    int cells = shuffled.length / cellBytes;
    int together = cellBytes % 4 == 0 ? 4 : 1; // cells are written front to back
    for (int each = 0; each < cellBytes; each += together) {
      int from = each * cells;
      int at = start + each;
      if (together == 4) {
        for (int cell = 0; cell < cells; cell++, at += cellBytes) {
          to[at] = shuffled[from + cell];
          to[at + 1] = shuffled[from + cells + cell];
          to[at + 2] = shuffled[from + 2 * cells + cell];
          to[at + 3] = shuffled[from + 3 * cells + cell];
        }
      } else {
        for (int cell = 0; cell < cells; cell++, at += cellBytes) {
          to[at] = shuffled[from + cell];
        }
      }
    }
    int rest = cells * cellBytes;
    System.arraycopy(shuffled, rest, to, start + rest, shuffled.length - rest);
  }

  /**
   * Puts bits in the order of cells: all lowest bits of the first bytes come first, eight cells in
   * a byte. Bits are shuffled only where the number of cells is a multiple of eight.
   */
  static void bits(byte[] shuffled, int cellBytes, byte[] to, int start) {
    int cells = shuffled.length / cellBytes;
    int rest = cells % Byte.SIZE == 0 ? cells * cellBytes : 0;
    System.arraycopy(shuffled, rest, to, start + rest, shuffled.length - rest);
    int row = cells / Byte.SIZE;
    for (int at = 0; at < rest; at++) {
      int bit = at / row;
      int firstCell = at % row * Byte.SIZE;
      int place = start + firstCell * cellBytes + bit / Byte.SIZE;
      for (int cell = 0; cell < Byte.SIZE; cell++) {
        int set = shuffled[at] >> cell & 1;
        to[place + cell * cellBytes] |= (byte) (set << bit % Byte.SIZE);
      }
    }
  }
}
