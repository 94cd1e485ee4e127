/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;

/** What has become of a face that was pushed, as the executor says to which it went. */
enum PushAnswer {
  /** It is where its block will find it, or the block has had it already. */
  TAKEN(1),
  /** The executor knows of no such run. */
  UNKNOWN_RUN(2),
  /** The executor does not hold the block now. */
  NOT_HERE(3),
  /** The place for it is in use. */
  BUSY(4),
  /** The executor has no memory for it. */
  NO_ROOM(5);

  private final byte code;

  PushAnswer(int code) {
    this.code = (byte) code;
  }

  ByteBuffer toBuffer() {
    return ByteBuffer.wrap(new byte[] {code});
  }

  /**
   * Reads an answer.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PushAnswer of(ByteBuffer buffer) {
    byte code = buffer.remaining() == 1 ? buffer.get() : 0;
    for (PushAnswer each : values()) {
      if (each.code == code) {
        return each;
      }
    }
    throw new IllegalArgumentException("an executor has given no answer that is known");
  }
}
