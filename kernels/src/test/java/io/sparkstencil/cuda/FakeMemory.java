/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import jcuda.driver.CUdeviceptr;

/** The memory of fake devices: blocks of host memory that start poisoned, by device address. */
final class FakeMemory {
  private static final byte POISON = (byte) 0xA5;
  private static final long SPACING = 256;

  private final TreeMap<Long, ByteBuffer> blocks = new TreeMap<>();
  private final Map<Long, Integer> owners = new HashMap<>(); // ordinals of devices, by address
  private long nextAddress = 1L << 40;
  private long usedBytes;

  /** An access outside of what was allocated. */
  static final class IllegalAddress extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  /** Returns the memory from a device address on. */
  synchronized ByteBuffer at(long address, long bytes) {
    Map.Entry<Long, ByteBuffer> block = blocks.floorEntry(address);
    if (block == null || address + bytes > block.getKey() + block.getValue().capacity()) {
      throw new IllegalAddress();
    }
    return block
        .getValue()
        .slice((int) (address - block.getKey()), (int) bytes)
        .order(ByteOrder.nativeOrder());
  }

  /** Returns the address of new memory of a device. */
  synchronized long allocate(int ordinal, long bytes) {
    long address = nextAddress;
    byte[] poison = new byte[(int) bytes];
    Arrays.fill(poison, POISON);
    blocks.put(address, ByteBuffer.allocateDirect((int) bytes).put(poison));
    owners.put(address, ordinal);
    nextAddress += (bytes + SPACING) / SPACING * SPACING + SPACING;
    usedBytes += bytes;
    return address;
  }

  /** Frees memory; returns whether there was any. */
  synchronized boolean free(CUdeviceptr pointer) {
    for (var block : blocks.entrySet()) {
      if (new CUdeviceptr().withByteOffset(block.getKey()).toString().equals(pointer.toString())) {
        usedBytes -= block.getValue().capacity();
        blocks.remove(block.getKey());
        return true;
      }
    }
    return false;
  }

  /** Returns the device that has the memory at {@code address}, or -1 if there is none. */
  synchronized int ownerOf(long address) {
    Map.Entry<Long, ByteBuffer> block = blocks.floorEntry(address);
    return block == null || address >= block.getKey() + block.getValue().capacity()
        ? -1
        : owners.get(block.getKey());
  }
}
