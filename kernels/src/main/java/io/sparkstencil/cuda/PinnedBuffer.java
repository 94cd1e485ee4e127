/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;

/** Host memory that the device copies from and to without a detour; page-locked. */
public final class PinnedBuffer extends PooledBuffer {
  final Pointer pointer;
  private final ByteBuffer view;

  PinnedBuffer(PrimaryContext context, Pointer pointer, long bytes) {
    super(context, pointer, bytes);
    this.pointer = pointer;
    this.view = pointer.getByteBuffer(0, bytes);
  }

  /**
   * Returns a view of bytes {@code [from, from + count)} in native byte order. It must not be used
   * after this buffer has been closed.
   */
  public ByteBuffer view(long from, long count) {
    requireOpen();
    return view.slice(Math.toIntExact(from), Math.toIntExact(count)).order(ByteOrder.nativeOrder());
  }

  void requireBytes(long count) {
    requireOpen();
    if (count < 0 || count > bytes()) {
      throw new IllegalArgumentException(
          "%s holds %d bytes, but %d are to be copied".formatted(name(), bytes(), count));
    }
  }

  @Override
  int free(DriverCalls driver) {
    return driver.memFreeHost(pointer);
  }
}
