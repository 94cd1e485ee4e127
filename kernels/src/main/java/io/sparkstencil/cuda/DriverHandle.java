/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One native handle of a context, with one owner who closes it. Closing is idempotent and throws
 * nothing: the handle is marked freed first, and what then fails is logged, never tried again. Use
 * after closing throws {@link IllegalStateException} with the handle's name.
 */
abstract sealed class DriverHandle implements AutoCloseable
    permits CudaStream,
        CudaEvent,
        CudaGraph,
        CudaTexture,
        MappedMemory,
        PooledBuffer,
        KernelFunction {
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  final PrimaryContext context;
  private final String name = getClass().getSimpleName() + "#" + NEXT_ID.getAndIncrement();
  private final AtomicBoolean freed = new AtomicBoolean();

  DriverHandle(PrimaryContext context) {
    this.context = context;
    context.live.add(name);
  }

  /** Gives the handle back to the driver; called once, with the context current. */
  abstract int free(DriverCalls driver);

  /** Throws if this handle has been closed. */
  final void requireOpen() {
    if (freed.get()) {
      throw new IllegalStateException(name + " is used after it was closed");
    }
  }

  final String name() {
    return name;
  }

  @Override
  public final void close() {
    if (!freed.compareAndSet(false, true)) {
      return;
    }
    context.live.remove(name);
    context.freeQuietly(this);
  }

  @Override
  public String toString() {
    return name;
  }
}
