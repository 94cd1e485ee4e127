/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.watch;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import java.nio.ByteBuffer;

/** Sums up stray cells on a device. Used by one thread at a time. */
public final class StraySums implements AutoCloseable {
  private final HeldKernels kernels;
  private final BufferPool<PinnedBuffer> pinned;
  private final BufferPool<DeviceBuffer> memory;
  private final CudaStream stream;

  /**
   * Creates what sums up.
   *
   * @param kernels made by {@link StrayKernel#generate}, and closed with this
   * @param pinned memory of the host for sums
   * @param memory that of the device
   * @param stream in which cells were written
   */
  public StraySums(
      HeldKernels kernels,
      BufferPool<PinnedBuffer> pinned,
      BufferPool<DeviceBuffer> memory,
      CudaStream stream) {
    this.kernels = kernels;
    this.pinned = pinned;
    this.memory = memory;
    this.stream = stream;
  }

  /**
   * Returns the sum of the stray cells of a box.
   *
   * @param address of its first cell
   */
  public long of(StrayKernel box, long address) {
    long bytes = (long) box.sums() * Long.BYTES;
    try (BufferLease<DeviceBuffer> there = memory.lease(bytes);
        BufferLease<PinnedBuffer> here = pinned.lease(bytes)) {
      LaunchArguments arguments =
          new LaunchArguments()
              .set(KernelParameter.INPUT, address)
              .set(KernelParameter.OUTPUT, there.buffer().address());
      kernels.get(box).launch(stream, box.blocks(), 1, arguments);
      stream.copyOut(there.buffer().address(), bytes, here.buffer());
      stream.synchronize();
      ByteBuffer sums = here.buffer().view(0, bytes);
      long sum = 0;
      while (sums.hasRemaining()) {
        sum += sums.getLong();
      }
      return sum;
    }
  }

  @Override
  public void close() {
    kernels.close();
  }
}
