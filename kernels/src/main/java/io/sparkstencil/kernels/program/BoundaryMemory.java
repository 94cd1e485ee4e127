/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.program.plan.Stages;
import java.nio.ByteBuffer;

/** The table of positions outside the fields of a program, in device memory. */
final class BoundaryMemory implements AutoCloseable {
  private final CloseScope owned = new CloseScope();
  private final long address;

  /** Copies the table to the device, before what is submitted to a stream from then on. */
  BoundaryMemory(ProgramDevice device, CudaStream stream, Stages stages) {
    int[] table = stages.boundaryTable();
    long bytes = (long) Math.max(1, table.length) * Integer.BYTES;
    try {
      BufferLease<PinnedBuffer> staged = owned.add(device.pinned().lease(bytes));
      BufferLease<DeviceBuffer> target = owned.add(device.tables().lease(bytes));
      ByteBuffer view = staged.buffer().view(0, bytes);
      for (int entry : table) {
        view.putInt(entry);
      }
      address = target.buffer().address();
      stream.copyIn(staged.buffer(), bytes, address);
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  long address() {
    return address;
  }

  /** Gives the memory back; nothing may be running. */
  @Override
  public void close() {
    owned.close();
  }
}
