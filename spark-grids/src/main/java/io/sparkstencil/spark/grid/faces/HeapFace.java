/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.grid.FaceBuffer;
import java.nio.ByteBuffer;

/** A face on the heap. */
public final class HeapFace implements FaceBuffer {
  private final ByteBuffer memory;
  private final Runnable closing;

  /** Takes the bytes of a face. */
  public HeapFace(ByteBuffer memory) {
    this(memory, () -> {});
  }

  /**
   * Takes memory.
   *
   * @param closing is run when it is given back
   */
  HeapFace(ByteBuffer memory, Runnable closing) {
    this.memory = memory;
    this.closing = closing;
  }

  @Override
  public ByteBuffer bytes() {
    return memory.slice(0, memory.capacity());
  }

  @Override
  public void close() {
    closing.run();
  }
}
