/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** PackBits, as TIFF has it: bytes, and how often one is repeated. Read only. */
public record RunLengths() implements BytesCodec {
  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    ByteBuffer from = encoded.slice();
    byte[] to = new byte[(int) Math.min(mostBytes, 2L * from.remaining() + 128)];
    int length = 0;
    while (from.remaining() > 1) {
      int control = from.get();
      if (control == Byte.MIN_VALUE) {
        continue;
      }
      int count = Math.abs(control) + 1;
      boolean literal = control >= 0;
      if ((literal && count > from.remaining()) || length + count > mostBytes) {
        throw new IOException(
            "the bytes are not compressed by PackBits, or more than %d come out"
                .formatted(mostBytes));
      }
      if (length + count > to.length) {
        to = Arrays.copyOf(to, (int) Math.min(mostBytes, 2L * (length + count)));
      }
      if (literal) {
        from.get(to, length, count);
      } else {
        Arrays.fill(to, length, length + count, from.get());
      }
      length += count;
    }
    return ByteBuffer.wrap(to, 0, length);
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("PackBits is only read");
  }
}
