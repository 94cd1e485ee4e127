/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;

/** A face on its way in; belongs to one network thread. */
interface PushArrival {
  /**
   * Takes some bytes.
   *
   * @throws RuntimeException if there are more than the header says
   */
  void data(ByteBuffer piece);

  /** Notes that all bytes have come. */
  PushAnswer end();

  /** Notes that no more bytes come. */
  void fail();

  /** Returns what reads a face to its end and forgets it. */
  static PushArrival dropped(PushAnswer answer, int bytes) {
    return new PushArrival() {
      private long left = bytes;

      @Override
      public void data(ByteBuffer piece) {
        left -= piece.remaining();
        piece.position(piece.limit());
        if (left < 0) {
          throw new IllegalArgumentException("a face is longer than its header says");
        }
      }

      @Override
      public PushAnswer end() {
        return answer;
      }

      @Override
      public void fail() {
        // nothing was kept
      }
    };
  }
}
