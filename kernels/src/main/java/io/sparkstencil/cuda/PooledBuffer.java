/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/** Memory that a {@link BufferPool} can lend. */
public interface PooledBuffer extends AutoCloseable {
  /** Returns the size. */
  long bytes();

  @Override
  void close();
}
