/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/**
 * Page-locked memory from which a stream's launches take their arguments: the addresses of the
 * arguments, which stay as they are, and then the arguments. The driver has copied them when a
 * launch returns. JCuda would otherwise make native memory for each argument of each launch.
 */
final class LaunchSlots {
  /** The most arguments: as many words as a kernel's 4 KiB of parameters. */
  private static final int MOST_ARGUMENTS = 512;

  private static final int ARGUMENTS_AT = MOST_ARGUMENTS * Long.BYTES;
  private static final int BYTES = 2 * ARGUMENTS_AT;

  private final Pointer memory;
  private final ByteBuffer view;

  private LaunchSlots(Pointer memory) {
    this.memory = memory;
    this.view = memory.getByteBuffer(0, BYTES).order(ByteOrder.nativeOrder());
  }

  /** Allocates the memory; the caller owns it. */
  static LaunchSlots allocate(PrimaryContext context) {
    Pointer[] memory = new Pointer[1];
    CUdeviceptr start = new CUdeviceptr();
    context.call(
        "cuMemHostAlloc",
        () -> BYTES + " bytes for the arguments of launches",
        driver -> driver.memHostAlloc(memory, BYTES));
    LaunchSlots slots = new LaunchSlots(memory[0]);
    // page-locked memory has one address, on the host and on all devices
    context.call(
        "cuMemHostGetDevicePointer",
        () -> BYTES + " bytes for the arguments of launches",
        driver -> driver.memHostGetDevicePointer(start, memory[0]));
    long arguments = PooledBuffer.address(start) + ARGUMENTS_AT;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
      slots.view.putLong(i * Long.BYTES, arguments + (long) i * Long.BYTES);
    }
    return slots;
  }

  /** Takes the arguments of the next launch; returns what the driver finds them by. */
  Pointer put(long[] args) {
    if (args.length > MOST_ARGUMENTS) {
      throw new IllegalArgumentException(
          "a launch has %d arguments, more than the %d that a kernel can have"
              .formatted(args.length, MOST_ARGUMENTS));
    }
    for (int i = 0; i < args.length; i++) {
      view.putLong(ARGUMENTS_AT + i * Long.BYTES, args[i]);
    }
    return memory;
  }

  /** Gives the memory back to the driver. */
  int free(DriverCalls driver) {
    return driver.memFreeHost(memory);
  }
}
