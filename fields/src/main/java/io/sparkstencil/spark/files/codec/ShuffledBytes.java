/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The filter {@code shuffle}: first all first bytes of cells, then all second ones, and so on. Read
 * only.
 *
 * @param cellBytes the bytes of a cell
 */
public record ShuffledBytes(int cellBytes) implements BytesCodec {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) {
    byte[] bytes = new byte[encoded.remaining()];
    int first = encoded.arrayOffset() + encoded.position();
    bytes(encoded.array(), first, bytes.length, cellBytes, bytes, 0);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("shuffled bytes are only read");
  }

  /** Puts bytes in the order of cells. Those behind the last whole cell are not shuffled. */
  static void bytes(byte[] shuffled, int cellBytes, byte[] to, int start) {
    bytes(shuffled, 0, shuffled.length, cellBytes, to, start);
  }

  private static void bytes(
      byte[] shuffled, int first, int length, int cellBytes, byte[] to, int start) {
    int cells = length / cellBytes;
    int together = cellBytes % 4 == 0 ? 4 : 1; // cells are written front to back
    for (int each = 0; each < cellBytes; each += together) {
      int from = first + each * cells;
      int at = start + each;
      if (together == 4) {
        for (int cell = 0; cell < cells; cell++, at += cellBytes) {
          int low = shuffled[from + cell] & 0xff;
          int second = (shuffled[from + cells + cell] & 0xff) << 8;
          int third = (shuffled[from + 2 * cells + cell] & 0xff) << 16;
          int high = shuffled[from + 3 * cells + cell] << 24;
          INTS.set(to, at, low | second | third | high);
        }
      } else {
        for (int cell = 0; cell < cells; cell++, at += cellBytes) {
          to[at] = shuffled[from + cell];
        }
      }
    }
    int rest = cells * cellBytes;
    System.arraycopy(shuffled, first + rest, to, start + rest, length - rest);
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
