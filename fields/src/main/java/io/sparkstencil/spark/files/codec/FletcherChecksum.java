/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The filter {@code fletcher32} of HDF5: a checksum of four bytes, least significant first, behind
 * the bytes. Read only.
 */
public record FletcherChecksum() implements BytesCodec {
  private static final int MOST_SUMMANDS = 360;

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    int length = encoded.remaining() - Integer.BYTES;
    if (length < 0) {
      throw new IOException("%d bytes are too few for a checksum".formatted(encoded.remaining()));
    }
    ByteBuffer bytes = encoded.slice(encoded.position(), length);
    int stored =
        encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(encoded.position() + length);
    int found = checksum(bytes.duplicate());
    // The first versions of HDF5 swapped the bytes of both halves on some machines.
    int swapped = (found & 0xff00ff) << 8 | (found >>> 8 & 0xff00ff);
    if (stored != found && stored != swapped) {
      throw new IOException(
          "the checksum fletcher32 of the bytes is %08x, and %08x is stored"
              .formatted(found, stored));
    }
    return bytes;
  }

  private static int checksum(ByteBuffer bytes) {
    ByteBuffer from = bytes.slice().order(ByteOrder.BIG_ENDIAN);
    long first = 0;
    long second = 0;
    while (from.remaining() > 1) {
      for (int i = 0; i < MOST_SUMMANDS && from.remaining() > 1; i++) {
        first += from.getShort() & 0xffff;
        second += first;
      }
      first = folded(first);
      second = folded(second);
    }
    if (from.hasRemaining()) {
      first += (from.get() & 0xff) << 8;
      second += first;
    }
    return (int) (folded(folded(second)) << 16 | folded(folded(first)));
  }

  private static long folded(long sum) {
    return (sum & 0xffff) + (sum >>> 16);
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("fletcher32 is only read");
  }
}
