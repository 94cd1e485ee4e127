/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.kernels.emulator.DeviceMemory;
import io.sparkstencil.kernels.emulator.EmulatorFault;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import jcuda.driver.CUdeviceptr;

/** The memory of fake devices, which start poisoned, and which of them has which. */
final class FakeMemory {
  /** What memory is filled with to look as if nobody had written it. */
  private static final byte NAN = (byte) 0xFF;

  private final DeviceMemory memory = new DeviceMemory();
  private final Map<Long, Integer> owners = new HashMap<>(); // ordinals of devices, by address

  /** An access outside of what was allocated. */
  static final class IllegalAddress extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IllegalAddress(EmulatorFault cause) {
      super(cause);
    }
  }

  /** Returns what an emulator accesses. */
  DeviceMemory memory() {
    return memory;
  }

  long usedBytes() {
    return memory.usedBytes();
  }

  /** Returns the memory from a device address on. */
  ByteBuffer at(long address, long bytes) {
    return legal(() -> memory.view(address, bytes));
  }

  /** Copies what remains of a buffer to a device address. */
  void copyIn(long address, ByteBuffer source) {
    legal(
        () -> {
          memory.write(address, source);
          return source;
        });
  }

  /** Copies from one device address to another. */
  void copy(long to, long from, long bytes) {
    legal(
        () -> {
          memory.copy(to, from, bytes);
          return memory;
        });
  }

  /** Copies planes of rows from one device address to another. */
  void copyBox(Pitched to, Pitched from, long bytes, long rows, long planes) {
    for (long plane = 0; plane < planes; plane++) {
      for (long row = 0; row < rows; row++) {
        copy(to.row(plane, row), from.row(plane, row), bytes);
      }
    }
  }

  /** Fills memory with a byte; what is filled with NaN counts as not written. */
  void fill(long address, long bytes, byte value) {
    legal(
        () -> {
          memory.fill(address, bytes, value, value != NAN);
          return memory;
        });
  }

  private static <T> T legal(Supplier<T> access) {
    try {
      return access.get();
    } catch (EmulatorFault fault) {
      throw new IllegalAddress(fault);
    }
  }

  /** Returns the address of new memory of a device. */
  synchronized long allocate(int ordinal, long bytes) {
    long address = memory.allocate(bytes);
    owners.put(address, ordinal);
    return address;
  }

  /** Frees memory; returns whether there was any. */
  boolean free(CUdeviceptr pointer) {
    return memory.free(PooledBuffer.address(pointer));
  }

  /** Returns the device that has the memory at {@code address}, or -1 if there is none. */
  synchronized int ownerOf(long address) {
    long start = memory.startOf(address);
    return start < 0 ? -1 : owners.get(start);
  }
}
