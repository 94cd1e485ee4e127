/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUstream;

/** A queue of copies and kernels on one device that run in order. Used by one thread at a time. */
public final class CudaStream extends DriverHandle {
  /** The most bytes from a row to the next that the driver copies boxes with. */
  private static final long MOST_PITCH = Integer.MAX_VALUE;

  final CUstream stream;
  private LaunchSlots slots; // made by the first launch

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

  /**
   * Copies what pageable memory holds to {@code target}, a device address. The driver takes it
   * through memory of its own, and the memory is free again when this returns.
   *
   * @param source a direct buffer, all of whose bytes are copied
   */
  public void copyInPageable(ByteBuffer source, long target) {
    context.call(
        this,
        "cuMemcpyHtoDAsync",
        driver -> driver.memcpyHtoDAsync(target, Pointer.to(source), source.capacity(), stream));
  }

  /** Copies from {@code source}, a device address, to all of a direct buffer; then it is there. */
  public void copyOutPageable(long source, ByteBuffer target) {
    context.call(
        this,
        "cuMemcpyDtoHAsync",
        driver -> driver.memcpyDtoHAsync(Pointer.to(target), source, target.capacity(), stream));
  }

  /** Copies {@code bytes} between device addresses. */
  public void copy(long source, long bytes, long target) {
    context.call(
        this, "cuMemcpyDtoDAsync", driver -> driver.memcpyDtoDAsync(target, source, bytes, stream));
  }

  /**
   * Copies a box of bytes from one place in device memory to another.
   *
   * @param bytes those of a row
   * @param rows those of a plane
   */
  public void copyBox(Pitched source, Pitched target, long bytes, long rows, long planes) {
    if (Math.max(source.row(), target.row()) <= MOST_PITCH && rows * planes > 1) {
      context.call(
          this,
          "cuMemcpy3DAsync",
          driver -> driver.memcpy3DAsync(target, source, bytes, rows, planes, stream));
      return;
    }
    for (long plane = 0; plane < planes; plane++) {
      for (long row = 0; row < rows; row++) {
        copy(source.row(plane, row), bytes, target.row(plane, row));
      }
    }
  }

  /**
   * Copies {@code bytes} from an address of another context to one of this stream's.
   *
   * @param peer the context that has the source
   */
  public void copyFrom(PrimaryContext peer, long source, long bytes, long target) {
    context.reach(peer);
    context.call(
        this,
        "cuMemcpyPeerAsync",
        driver ->
            driver.memcpyPeerAsync(target, context.context, source, peer.context, bytes, stream));
  }

  /**
   * Copies a box of bytes from memory of another context to that of this stream's.
   *
   * @param peer the context that has the source
   * @param bytes those of a row
   * @param rows those of a plane
   */
  public void copyBoxFrom(
      PrimaryContext peer, Pitched source, Pitched target, long bytes, long rows, long planes) {
    if (Math.max(source.row(), target.row()) <= MOST_PITCH && rows * planes > 1) {
      context.reach(peer);
      context.call(
          this,
          "cuMemcpy3DPeerAsync",
          driver ->
              driver.memcpy3DPeerAsync(
                  target, context.context, source, peer.context, bytes, rows, planes, stream));
      return;
    }
    for (long plane = 0; plane < planes; plane++) {
      for (long row = 0; row < rows; row++) {
        copyFrom(peer, source.row(plane, row), bytes, target.row(plane, row));
      }
    }
  }

  /** Sets {@code bytes} from a device address on to {@code value}. */
  public void fill(long target, long bytes, byte value) {
    context.call(
        this, "cuMemsetD8Async", driver -> driver.memsetD8Async(target, value, bytes, stream));
  }

  /** Lets what is submitted from now on wait until {@code event}, recorded before, is reached. */
  public void waitFor(CudaEvent event) {
    event.requireOpen();
    context.call(this, "cuStreamWaitEvent", driver -> driver.streamWaitEvent(stream, event.event));
  }

  /** Waits until all that was submitted is done. */
  public void synchronize() {
    context.call(this, "cuStreamSynchronize", driver -> driver.streamSynchronize(stream));
  }

  /** Returns the memory for the arguments of launches, owned by this. */
  LaunchSlots launchSlots() {
    if (slots == null) {
      slots = LaunchSlots.allocate(context);
    }
    return slots;
  }

  @Override
  int free(DriverCalls driver) {
    int destroyed = driver.streamDestroy(stream);
    int freed = slots == null ? 0 : slots.free(driver);
    return destroyed == 0 ? freed : destroyed;
  }
}
