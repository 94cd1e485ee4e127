/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.program.shared.FaceTicket;

/** Two blocks, and a face of the first that the second takes as from another process. */
record SharedBlocks(BlockFields giver, BlockFields taker, SharedFace face)
    implements AutoCloseable {
  static SharedBlocks of(BlockFields giver, BlockFields taker) {
    return new SharedBlocks(giver, taker, giver.share(taker.place(), 2, 2).orElseThrow());
  }

  /** Tells whether the cells of a state were taken. */
  boolean take(int state) {
    return taker.takeShared(ofAnotherProcess(face), giver.place().block(), 2, state);
  }

  /** As another process would see it, that has the same memory mapped. */
  static byte[] ofAnotherProcess(SharedFace face) {
    return ofAnotherProcess(face.ticket());
  }

  static byte[] ofAnotherProcess(byte[] ticket) {
    FaceTicket own = FaceTicket.ofBytes(ticket);
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    return new FaceTicket(
            own.host(),
            parent,
            own.device(),
            own.handle(),
            own.nonce(),
            own.faceBytes(),
            own.slots())
        .toBytes();
  }

  @Override
  public void close() {
    giver.close();
    taker.close();
  }
}
