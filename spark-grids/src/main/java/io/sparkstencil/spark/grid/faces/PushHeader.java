/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes before the cells of a face that is pushed, or of a part of it: large faces travel in
 * parts over several connections.
 *
 * @param secret that of the run in the executor that takes it
 * @param giver the block that gives the face
 * @param taker the block that needs it
 * @param state of the cells
 * @param bytes of the face
 * @param offset of the part in the face, a multiple of {@link #PART_BYTES}
 */
record PushHeader(PushSecret secret, int giver, int taker, int state, int bytes, int offset) {
  /** The bytes of a part, but of the last one, which may be shorter. */
  static final int PART_BYTES = 2 << 20;

  /** Begins each header; another form of it has another number. */
  private static final int FORM = 0x53544602;

  static final int BYTES = PushSecret.BYTES + 6 * Integer.BYTES;

  /** Creates the header of a face, which is that of its first part. */
  PushHeader(PushSecret secret, int giver, int taker, int state, int bytes) {
    this(secret, giver, taker, state, bytes, 0);
  }

  /** Returns the headers of all parts of the face. */
  List<PushHeader> parts() {
    List<PushHeader> parts = new ArrayList<>();
    for (long at = 0; at < bytes; at += PART_BYTES) {
      parts.add(new PushHeader(secret, giver, taker, state, bytes, (int) at));
    }
    return parts;
  }

  /** Returns the bytes of the part. */
  int partBytes() {
    return Math.min(PART_BYTES, bytes - offset);
  }

  ByteBuffer toBuffer() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES).putInt(FORM);
    secret.put(buffer);
    buffer.putInt(giver).putInt(taker).putInt(state).putInt(bytes).putInt(offset);
    return buffer.flip();
  }

  /**
   * Reads a header, which may come from anybody.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PushHeader of(ByteBuffer buffer) {
    if (buffer.remaining() != BYTES || buffer.getInt() != FORM) {
      throw new IllegalArgumentException(
          "what was sent here does not begin as a face of a grid does");
    }
    PushHeader header =
        new PushHeader(
            PushSecret.of(buffer),
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt());
    if (header.giver < 0 || header.taker < 0 || header.state < 0 || header.bytes <= 0) {
      throw new IllegalArgumentException("a face that was sent here has a number below 0");
    }
    if (header.offset < 0 || header.offset >= header.bytes || header.offset % PART_BYTES != 0) {
      throw new IllegalArgumentException(
          "a face of %d bytes that was sent here has no part at %d"
              .formatted(header.bytes, header.offset));
    }
    return header;
  }
}
