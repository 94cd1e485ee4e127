/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUstream;

/** A queue of copies and kernels on one device that run in order. Used by one thread at a time. */
public final class CudaStream extends DriverHandle {
  final CUstream stream;

  CudaStream(PrimaryContext context, CUstream stream) {
    super(context);
    this.stream = stream;
  }

  /** Copies the first {@code bytes} of {@code source} to {@code target}, a device address. */
  public void copyIn(PinnedBuffer source, long bytes, long target) {
    source.requireBytes(bytes);
    context.call(
        this,
        "cuMemcpyHtoDAsync",
        driver -> driver.memcpyHtoDAsync(target, source.pointer, bytes, stream));
  }

  /** Copies {@code bytes} from {@code source}, a device address, to the start of {@code target}. */
  public void copyOut(long source, long bytes, PinnedBuffer target) {
    target.requireBytes(bytes);
    context.call(
        this,
        "cuMemcpyDtoHAsync",
        driver -> driver.memcpyDtoHAsync(target.pointer, source, bytes, stream));
  }

  /** Copies {@code bytes} between device addresses. */
  public void copy(long source, long bytes, long target) {
    context.call(
        this, "cuMemcpyDtoDAsync", driver -> driver.memcpyDtoDAsync(target, source, bytes, stream));
  }

  /** Sets {@code bytes} from a device address on to {@code value}. */
  public void fill(long target, long bytes, byte value) {
    context.call(
        this, "cuMemsetD8Async", driver -> driver.memsetD8Async(target, value, bytes, stream));
  }

  /** Waits until all that was submitted is done. */
  public void synchronize() {
    context.call(this, "cuStreamSynchronize", driver -> driver.streamSynchronize(stream));
  }

  @Override
  int free(DriverCalls driver) {
    return driver.streamDestroy(stream);
  }
}
