/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of an emulated device: allocations far from each other, of which it is known what has
 * been written, and by which blocks of the launch that runs. What has not been written is poison:
 * it may be read, but a result that depends on it must not be stored.
 */
public final class DeviceMemory {
  private static final byte POISON = (byte) 0xA5;
  private static final long ALIGNMENT = 256;
  private static final long GAP = 4096;
  private static final int WORD = Integer.BYTES;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final Allocation NONE = new Allocation(0, 0);

  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private long next = 1L << 40;
  private long usedBytes;

  /** The two that were found last: kernels read one and write another. */
  private Allocation last = NONE;

  private Allocation before = NONE;

  /** Numbers blocks over all launches: the first of this launch, and the one that runs. */
  private int firstBlock = 1;

  private int block = 1;

  /** A run of bytes. What is known of them is known of words of four. */
  static final class Allocation {
    private final long address;
    private final byte[] bytes;
    private final boolean[] written;
    private final int[] writers;

    /** The block that has read a word, or the first of a launch, negative, for several. */
    private final int[] readers;

    Allocation(long address, int size) {
      this.address = address;
      bytes = new byte[size];
      Arrays.fill(bytes, POISON);
      int words = (size + WORD - 1) / WORD;
      written = new boolean[words];
      writers = new int[words];
      readers = new int[words];
    }

    private boolean has(long at, long count) {
      return at >= address && at + count <= address + bytes.length;
    }
  }

  /** Returns the address of new memory, which holds nothing. */
  public synchronized long allocate(long size) {
    Allocation allocation = new Allocation(next, Math.toIntExact(size));
    allocations.put(next, allocation);
    usedBytes += size;
    next += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
    return allocation.address;
  }

  /** Frees an allocation; returns whether there was one at this address. */
  public synchronized boolean free(long address) {
    Allocation freed = allocations.remove(address);
    if (freed == null) {
      return false;
    }
    usedBytes -= freed.bytes.length;
    last = NONE;
    before = NONE;
    return true;
  }

  /** Returns the bytes of all allocations. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Returns whether all bytes from an address on are in one allocation. */
  public synchronized boolean has(long address, long count) {
    return find(address, count) != null;
  }

  /**
   * Returns the start of the allocation that has the byte at an address, or -1 if there is none.
   */
  public synchronized long startOf(long address) {
    Allocation found = find(address, 1);
    return found == null ? -1 : found.address;
  }

  /**
   * Returns the bytes from an address on, to read and write; what is written there still counts as
   * not written.
   *
   * @throws EmulatorFault if they are not in one allocation
   */
  public synchronized ByteBuffer view(long address, long count) {
    Allocation in = require(address, count);
    return ByteBuffer.wrap(in.bytes)
        .slice((int) (address - in.address), (int) count)
        .order(ByteOrder.nativeOrder());
  }

  /** Copies what remains of a buffer to an address, as the host does. */
  public synchronized void write(long address, ByteBuffer source) {
    int count = source.remaining();
    Allocation in = require(address, count);
    source.get(in.bytes, (int) (address - in.address), count);
    mark(in, address, count, true);
  }

  /** Copies bytes, with what is known of them. */
  public synchronized void copy(long to, long from, long count) {
    Allocation source = require(from, count);
    Allocation target = require(to, count);
    int sourceAt = (int) (from - source.address);
    int targetAt = (int) (to - target.address);
    System.arraycopy(source.bytes, sourceAt, target.bytes, targetAt, (int) count);
    for (int i = 0; i < count; i++) {
      target.written[(targetAt + i) / WORD] = source.written[(sourceAt + i) / WORD];
    }
  }

  /**
   * Fills bytes.
   *
   * @param counts whether they count as written then
   */
  public synchronized void fill(long address, long count, byte value, boolean counts) {
    Allocation in = require(address, count);
    int at = (int) (address - in.address);
    Arrays.fill(in.bytes, at, at + (int) count, value);
    mark(in, address, count, counts);
  }

  private static void mark(Allocation in, long address, long count, boolean written) {
    if (count > 0) {
      int at = (int) (address - in.address);
      Arrays.fill(in.written, at / WORD, (at + (int) count - 1) / WORD + 1, written);
    }
  }

  private Allocation find(long address, long count) {
    if (last.has(address, count)) {
      return last;
    }
    Allocation found = before;
    if (!found.has(address, count)) {
      Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
      if (entry == null || !entry.getValue().has(address, count)) {
        return null;
      }
      found = entry.getValue();
    }
    before = last;
    last = found;
    return found;
  }

  private Allocation require(long address, long count) {
    Allocation found = find(address, count);
    if (found == null) {
      Map.Entry<Long, Allocation> near = allocations.floorEntry(address);
      throw new EmulatorFault(
          "%d bytes at 0x%x are in no memory%s"
              .formatted(
                  count,
                  address,
                  near == null
                      ? ""
                      : "; before it are %d bytes at 0x%x"
                          .formatted(near.getValue().bytes.length, near.getKey())));
    }
    return found;
  }

  /** Starts a launch, whose blocks are in no order. */
  void startLaunch() {
    firstBlock = block + 1;
  }

  /** Starts the next block of the launch. */
  void startBlock() {
    block++;
  }

  /**
   * Returns the allocation for an access by a lane.
   *
   * @param size bytes of the access, to which it must be aligned
   */
  Allocation access(int lane, long address, int size) {
    if ((address & (size - 1)) != 0) {
      throw EmulatorFault.of(
          lane, "accesses %d bytes at 0x%x: misaligned".formatted(size, address));
    }
    Allocation found = find(address, size);
    if (found == null) {
      try {
        require(address, size);
      } catch (EmulatorFault fault) {
        throw EmulatorFault.of(lane, "is outside: %s".formatted(fault.getMessage()));
      }
    }
    return found;
  }

  /** Returns whether the word at an address, of an access that was checked, has been written. */
  boolean read(Allocation in, int lane, long address) {
    int word = (int) (address - in.address) / WORD;
    int writer = in.writers[word];
    if (writer >= firstBlock && writer != block) {
      throw EmulatorFault.of(
          lane, "reads 0x%x, which another block of the launch has written".formatted(address));
    }
    int reader = in.readers[word];
    boolean isOfLaunch = reader >= firstBlock || reader == -firstBlock;
    in.readers[word] = isOfLaunch && reader != block ? -firstBlock : block;
    return in.written[word];
  }

  /** Notes that the word at an address is written. */
  void write(Allocation in, int lane, long address, boolean same) {
    int word = (int) (address - in.address) / WORD;
    int writer = in.writers[word];
    if (writer >= firstBlock && writer != block && !same) {
      throw EmulatorFault.of(
          lane, "writes 0x%x, where another block of the launch has written".formatted(address));
    }
    int reader = in.readers[word];
    if (reader == -firstBlock || (reader >= firstBlock && reader != block)) {
      throw EmulatorFault.of(
          lane, "writes 0x%x, which another block of the launch has read".formatted(address));
    }
    in.writers[word] = block;
    in.written[word] = true;
  }

  static int int32(Allocation in, long address) {
    return (int) INTS.get(in.bytes, (int) (address - in.address));
  }

  static void int32(Allocation in, long address, int value) {
    INTS.set(in.bytes, (int) (address - in.address), value);
  }

  /** Returns 1, 2 or 4 bytes as a number without a sign. */
  static int uint(Allocation in, long address, int count) {
    int at = (int) (address - in.address);
    return switch (count) {
      case 1 -> in.bytes[at] & 0xFF;
      case 2 -> (in.bytes[at] & 0xFF) | ((in.bytes[at + 1] & 0xFF) << 8);
      default -> int32(in, address);
    };
  }

  /** Puts the lowest 1 or 2 bytes of a number. */
  static void uint(Allocation in, long address, int count, int value) {
    int at = (int) (address - in.address);
    for (int i = 0; i < count; i++) {
      in.bytes[at + i] = (byte) (value >> (8 * i));
    }
  }
}
