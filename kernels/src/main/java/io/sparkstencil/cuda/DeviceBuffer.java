/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUdeviceptr;

/** Memory of a device, aligned to 256 bytes. */
public final class DeviceBuffer extends DriverHandle implements PooledBuffer {
  private final CUdeviceptr pointer;
  private final long address;
  private final long bytes;

  DeviceBuffer(PrimaryContext context, CUdeviceptr pointer, long bytes) {
    super(context);
    this.pointer = pointer;
    this.address = new Address(pointer).value();
    this.bytes = bytes;
  }

  /** Returns the device address of the first byte. */
  public long address() {
    requireOpen();
    return address;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  int free(DriverCalls driver) {
    return driver.memFree(pointer);
  }

  /** Reads the number that JCuda keeps to itself. */
  private static final class Address extends CUdeviceptr {
    Address(CUdeviceptr pointer) {
      super(pointer);
    }

    long value() {
      return getNativePointer() + getByteOffset();
    }
  }
}
