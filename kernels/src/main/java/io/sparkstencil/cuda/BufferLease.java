/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * A buffer that a pool has lent. Closing it gives the buffer back once what uses it is done, which
 * the holder says by {@link #inUseUntil}. Idempotent; used by one thread at a time.
 *
 * @param <B> kind of memory
 */
public final class BufferLease<B extends PooledBuffer> implements AutoCloseable {
  private final BufferPool<B> pool;
  private final B buffer;
  private CudaEvent lastUse;
  private boolean closed;

  BufferLease(BufferPool<B> pool, B buffer) {
    this.pool = pool;
    this.buffer = buffer;
  }

  /** Returns the memory; at least as large as was asked for. */
  public B buffer() {
    if (closed) {
      throw new IllegalStateException("the lease of " + buffer + " is used after it was closed");
    }
    return buffer;
  }

  /** Tells whether this is open, over memory of at least {@code bytes}. */
  public boolean holds(long bytes) {
    return !closed && buffer.bytes() >= bytes;
  }

  /** Says that copies or kernels use the memory until {@code event}, which the caller owns. */
  public void inUseUntil(CudaEvent event) {
    lastUse = event;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    pool.takeBack(buffer, lastUse);
  }
}
