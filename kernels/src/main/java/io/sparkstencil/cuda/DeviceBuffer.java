/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUdeviceptr;

/** Memory of a device, aligned to 256 bytes; its address is the device's. */
public final class DeviceBuffer extends PooledBuffer {
  final CUdeviceptr pointer;

  DeviceBuffer(PrimaryContext context, CUdeviceptr pointer, long bytes) {
    super(context, pointer, bytes);
    this.pointer = pointer;
  }

  @Override
  int free(DriverCalls driver) {
    return driver.memFree(pointer);
  }
}
