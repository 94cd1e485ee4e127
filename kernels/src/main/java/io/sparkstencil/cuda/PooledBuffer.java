/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.Pointer;

/** Memory that a {@link BufferPool} can lend. */
public abstract sealed class PooledBuffer extends DriverHandle permits DeviceBuffer, PinnedBuffer {
  private final long address;
  private final long bytes;
  private volatile boolean shared;

  PooledBuffer(PrimaryContext context, Pointer pointer, long bytes) {
    super(context);
    this.address = address(pointer);
    this.bytes = bytes;
  }

  /**
   * Returns the address of the first byte, or 0 where the driver's library keeps it to itself. It
   * must not be used after this buffer has been closed.
   */
  public final long address() {
    requireOpen();
    return address;
  }

  /** Returns the size. */
  public final long bytes() {
    return bytes;
  }

  /** Notes that other processes may use it by a handle from now on; returns that. */
  final byte[] sharedAs(byte[] handle) {
    shared = true;
    return handle;
  }

  /**
   * Returns whether other processes may use it. The driver does not say what they find when it has
   * been freed.
   */
  final boolean isShared() {
    return shared;
  }

  /** Returns the address in a pointer, or 0 where the driver's library keeps it to itself. */
  static long address(Pointer pointer) {
    return new Address(pointer).value();
  }

  /** Reads the number that JCuda keeps to itself. */
  private static final class Address extends Pointer {
    Address(Pointer pointer) {
      super(pointer);
    }

    long value() {
      return getNativePointer() + getByteOffset();
    }
  }
}
