/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;

/**
 * What goes before the cells of a face that is pushed.
 *
 * @param secret that of the run in the executor that takes it
 * @param source the block that gives the face
 * @param target the block that needs it
 * @param state of the cells
 * @param bytes of the face
 */
record PushHeader(PushSecret secret, int source, int target, int state, int bytes) {
  /** Begins each header; another form of it has another number. */
  private static final int FORM = 0x53544601;

  static final int BYTES = PushSecret.BYTES + 5 * Integer.BYTES;

  ByteBuffer toBuffer() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES).putInt(FORM);
    secret.put(buffer);
    return buffer.putInt(source).putInt(target).putInt(state).putInt(bytes).flip();
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
            buffer.getInt());
    if (header.source < 0 || header.target < 0 || header.state < 0 || header.bytes <= 0) {
      throw new IllegalArgumentException("a face that was sent here has a number below 0");
    }
    return header;
  }
}
