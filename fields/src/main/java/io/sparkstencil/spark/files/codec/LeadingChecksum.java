/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * The filters {@code crc32} and {@code adler32}: a checksum of four bytes, least significant first,
 * before the bytes. Read only.
 *
 * @param adler whether it is Adler's, not a cyclic one
 */
public record LeadingChecksum(boolean adler) implements BytesCodec {
  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    if (encoded.remaining() < Integer.BYTES) {
      throw new IOException("%d bytes are too few for a checksum".formatted(encoded.remaining()));
    }
    ByteBuffer from = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
    int stored = from.getInt();
    java.util.zip.Checksum checksum = adler ? new Adler32() : new CRC32();
    checksum.update(from.duplicate());
    int found = (int) checksum.getValue();
    if (stored != found) {
      throw new IOException(
          "the checksum %s of the bytes is %08x, and %08x is stored"
              .formatted(adler ? "adler32" : "crc32", found, stored));
    }
    return from.slice();
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("checksums before bytes are only read");
  }
}
