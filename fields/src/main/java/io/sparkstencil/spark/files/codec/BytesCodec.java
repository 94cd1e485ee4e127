/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;

/** A codec that makes bytes of bytes. */
public sealed interface BytesCodec extends Serializable
    permits Compression,
        Checksum,
        Blosc,
        ShuffledBytes,
        NumberFilter,
        PackedBits,
        LeadingChecksum,
        FletcherChecksum,
        Lzf,
        Lzw,
        Predictor,
        RunLengths {
  /**
   * Returns the bytes that were encoded.
   *
   * @param encoded bytes of an array on the heap, from the position to the limit
   * @param mostBytes the most bytes that can come out
   * @throws IOException if the bytes were not made by this codec, or more come out; the message
   *     says what is wrong
   */
  ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException;

  /**
   * Returns the bytes that were encoded.
   *
   * @param likelyBytes how many will come out if the file is right, so that no more room is taken;
   *     0 if nobody knows
   */
  default ByteBuffer decode(ByteBuffer encoded, int mostBytes, int likelyBytes) throws IOException {
    return decode(encoded, mostBytes);
  }

  /** Returns the bytes to store. */
  ByteBuffer encode(ByteBuffer bytes) throws IOException;
}
