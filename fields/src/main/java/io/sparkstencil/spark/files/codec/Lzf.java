/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The filter {@code lzf} of h5py: bytes, and copies of those before them. Read only. */
public record Lzf() implements BytesCodec {
  private static final int LITERALS = 32;
  private static final int LONG_COPY = 7;

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    ByteBuffer from = encoded.slice();
    byte[] to = new byte[(int) Math.min(mostBytes, 8L * from.remaining() + LITERALS)];
    int length = 0;
    while (from.hasRemaining()) {
      int control = from.get() & 0xff;
      boolean literal = control < LITERALS;
      int count = literal ? control + 1 : (control >> 5) + 2;
      int distance = 0;
      if (!literal) {
        if (count == LONG_COPY + 2) {
          count += next(from);
        }
        distance = ((control & 0x1f) << 8 | next(from)) + 1;
      }
      if (length + count > mostBytes
          || distance > length
          || (literal && count > from.remaining())) {
        throw new IOException(
            "the bytes are not compressed by lzf, or more than %d come out".formatted(mostBytes));
      }
      if (length + count > to.length) {
        to = Arrays.copyOf(to, (int) Math.min(mostBytes, 2L * (length + count)));
      }
      if (literal) {
        from.get(to, length, count);
        length += count;
      } else {
        for (int i = 0; i < count; i++, length++) {
          to[length] = to[length - distance];
        }
      }
    }
    return ByteBuffer.wrap(to, 0, length);
  }

  private static int next(ByteBuffer from) throws IOException {
    if (!from.hasRemaining()) {
      throw new IOException("the bytes compressed by lzf end too early");
    }
    return from.get() & 0xff;
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("lzf is only read");
  }
}
