/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUdeviceptr;

/**
 * Device memory of another process, where this one can copy from it. What is in it, and whether its
 * owner still is, nobody knows.
 */
public final class MappedMemory extends DriverHandle {
  private final CUdeviceptr pointer;
  private final long address;

  MappedMemory(PrimaryContext context, CUdeviceptr pointer) {
    super(context);
    this.pointer = pointer;
    this.address = PooledBuffer.address(pointer);
  }

  /** Returns the address of the first byte in this process. */
  public long address() {
    requireOpen();
    return address;
  }

  @Override
  int free(DriverCalls driver) {
    return driver.ipcCloseMemHandle(pointer);
  }
}
