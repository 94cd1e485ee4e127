/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The filter {@code packbits}: eight truth values in a byte, the highest bit first, behind a byte
 * that says how many bits at the end are none. Read only.
 */
public record PackedBits() implements BytesCodec {
  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    if (!encoded.hasRemaining()) {
      throw new EOFException("there is no byte of packed bits");
    }
    ByteBuffer from = encoded.duplicate();
    int none = from.get();
    long bits = (long) from.remaining() * Byte.SIZE - none;
    if (none < 0 || bits < 0 || bits > mostBytes) {
      throw new IOException("%d bits are packed, %d of them none".formatted(bits, none));
    }
    ByteBuffer to = ByteBuffer.allocate((int) bits);
    int first = from.position();
    for (int bit = 0; bit < bits; bit++) {
      int packed = from.get(first + bit / Byte.SIZE);
      to.put((byte) (packed >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1));
    }
    return to.flip();
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("packed bits are only read");
  }
}
