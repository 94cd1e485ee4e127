/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;

/**
 * The inner format {@code blosclz} of Blosc. A byte below 32 says that as many bytes and one more
 * follow as they are. Another byte begins a copy of bytes that came out before: its three highest
 * bits are the length less two, or 7, behind which bytes are added up until one is not 255; its
 * other bits and the next byte are the distance less one. If all bits of the distance are set, two
 * bytes follow that are added to it.
 */
final class BloscLz {
  private static final int LITERAL = 32;
  private static final int LONG = 7;
  private static final int FAR = 8191;

  private final byte[] from;
  private final int end;
  private final byte[] to;
  private final int start;
  private final int most;
  private int in;
  private int out;

  private BloscLz(byte[] from, int first, int count, byte[] to, int start, int length) {
    this.from = from;
    this.in = first;
    this.end = first + count;
    this.to = to;
    this.start = start;
    this.out = start;
    this.most = start + length;
  }

  /**
   * Decompresses.
   *
   * @return the number of bytes that came out
   * @throws IOException if the bytes are not of this format, or more than {@code length} come out
   */
  static int decompress(byte[] from, int first, int count, byte[] to, int start, int length)
      throws IOException {
    BloscLz state = new BloscLz(from, first, count, to, start, length);
    int code = state.next() & (LITERAL - 1); // the first one is always of bytes as they are
    while (true) {
      if (code < LITERAL) {
        state.literal(code + 1);
      } else {
        state.copy(code);
      }
      if (state.in >= state.end) {
        return state.out - start;
      }
      code = state.next();
    }
  }

  private int next() throws IOException {
    if (in >= end) {
      throw new IOException("blosclz ends too early");
    }
    return from[in++] & 0xff;
  }

  private void literal(int count) throws IOException {
    if (count > end - in || count > most - out) {
      throw new IOException("blosclz has %d bytes where there is no room".formatted(count));
    }
    System.arraycopy(from, in, to, out, count);
    in += count;
    out += count;
  }

  private void copy(int code) throws IOException {
    int length = (code >> 5) + 2;
    int distance = (code & (LITERAL - 1)) << Byte.SIZE;
    if (code >> 5 == LONG) {
      int more;
      do {
        more = next();
        length += more;
      } while (more == 0xff && length <= to.length);
    }
    distance += next();
    if (distance == FAR) {
      distance += next() << Byte.SIZE;
      distance += next();
    }
    distance++;
    if (distance > out - start || length > most - out) {
      throw new IOException("blosclz copies %d bytes from %d before".formatted(length, distance));
    }
    for (int i = 0; i < length; i++) {
      to[out] = to[out - distance];
      out++;
    }
  }
}
