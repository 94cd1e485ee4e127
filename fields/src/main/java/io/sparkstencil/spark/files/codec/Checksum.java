/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The codec {@code crc32c}: a checksum of four bytes, least significant first, behind the bytes.
 */
public record Checksum() implements BytesCodec {
  /** The bytes of a checksum. */
  static final int BYTES = Integer.BYTES;

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    int length = encoded.remaining() - BYTES;
    if (length < 0) {
      throw new IOException("%d bytes are too few for a checksum".formatted(encoded.remaining()));
    }
    ByteBuffer bytes = encoded.slice(encoded.position(), length);
    int stored =
        encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(encoded.position() + length);
    int found = checksum(bytes);
    if (stored != found) {
      throw new IOException(
          "the checksum crc32c of the bytes is %08x, and %08x is stored".formatted(found, stored));
    }
    return bytes;
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining() + BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(bytes.duplicate())
        .putInt(checksum(bytes))
        .flip();
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }
}
