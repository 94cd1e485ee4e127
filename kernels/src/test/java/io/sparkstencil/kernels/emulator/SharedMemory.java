/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The shared memory of a block. For each word of four bytes it is known who has written it, when,
 * and who has read it since. Two accesses by different threads, one of which writes, need a barrier
 * between them that both have passed; those of a warp need at least a barrier of the warp.
 *
 * <p>Each warp counts its barriers, which gives its accesses a time. A barrier tells the warps that
 * pass it which times of the others lie behind them.
 */
final class SharedMemory {
  private static final int WORD = Integer.BYTES;
  private static final int THREAD_BITS = 10;
  private static final int READER_BITS = 6;
  private static final int SEVERAL_LANES = 32;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int warps;

  /** When a word was written, and by which thread: 0 if it was not. */
  private final long[] writers;

  /** The warps that have read a word since it was written, a bit each. */
  private final int[] readers;

  /** When a warp read a word last, and which lane, by word and warp. */
  private final long[] reads;

  /** The block in which a word was last written with a known value. */
  private final int[] writtenIn;

  /** The thread, counted from 1, that is copying to a word. */
  private final int[] copying;

  private final long[] times;

  /** The time of another warp up to which its accesses lie behind a warp. */
  private final long[][] seen;

  private int block;

  SharedMemory(int size, int warps) {
    int words = (size + WORD - 1) / WORD;
    this.warps = warps;
    bytes = new byte[words * WORD];
    writers = new long[words];
    readers = new int[words];
    reads = new long[words * warps];
    writtenIn = new int[words];
    copying = new int[words];
    times = new long[warps];
    seen = new long[warps][warps];
  }

  /** Starts the next block, which knows nothing of the one before. */
  void start() {
    block++;
    Arrays.fill(copying, 0);
    long latest = 0;
    for (long time : times) {
      latest = Math.max(latest, time);
    }
    for (int warp = 0; warp < warps; warp++) {
      times[warp] = latest + 1;
      Arrays.fill(seen[warp], latest);
    }
  }

  /** Orders the accesses of the lanes of a warp. */
  void order(int warp, int lanes) {
    if (lanes != Warp.ALL) {
      throw new EmulatorFault(
          "a barrier of lanes %08x is unknown to the emulator".formatted(lanes));
    }
    seen[warp][warp] = times[warp];
    times[warp]++;
  }

  /** Orders the accesses of warps that pass a barrier. */
  void order(List<Warp> passing) {
    long[] together = new long[warps];
    for (Warp warp : passing) {
      for (int other = 0; other < warps; other++) {
        together[other] = Math.max(together[other], seen[warp.number][other]);
      }
      together[warp.number] = times[warp.number];
    }
    for (Warp warp : passing) {
      System.arraycopy(together, 0, seen[warp.number], 0, warps);
      times[warp.number]++;
    }
  }

  /** Requires that an access lies in this memory and is aligned to its size. */
  void access(int lane, long address, int size) {
    if (address < 0 || address + size > bytes.length) {
      throw EmulatorFault.of(
          lane, "accesses %d bytes at %d of %d shared ones".formatted(size, address, bytes.length));
    }
    if ((address & (size - 1)) != 0) {
      throw EmulatorFault.of(
          lane, "accesses %d shared bytes at %d: misaligned".formatted(size, address));
    }
  }

  /** Reads part of a word for a thread; returns whether the word is known. */
  boolean read(int warp, int lane, int address) {
    int word = address / WORD;
    requireNoCopy(word, lane);
    requireOrdered(writers[word], warp, lane, address, "reads");
    int at = word * warps + warp;
    long time = times[warp];
    long before = reads[at];
    boolean another = before >>> READER_BITS == time && (before & 63) != lane;
    reads[at] = (time << READER_BITS) | (another ? SEVERAL_LANES : lane);
    readers[word] |= 1 << warp;
    return writtenIn[word] == block;
  }

  /**
   * Notes that a thread writes part of a word.
   *
   * @param known whether it is known what it writes
   * @param same whether that is what is there
   */
  void write(int warp, int lane, int address, boolean known, boolean same) {
    int word = address / WORD;
    requireNoCopy(word, lane);
    if (!same || writtenIn[word] != block) {
      requireOrdered(writers[word], warp, lane, address, "writes");
    }
    for (int left = readers[word]; left != 0; left &= left - 1) {
      int reader = Integer.numberOfTrailingZeros(left);
      long read = reads[word * warps + reader];
      boolean itself = reader == warp && (read & 63) == lane;
      if (!itself && read >>> READER_BITS > seen[warp][reader]) {
        throw EmulatorFault.of(
            lane,
            "writes shared word %d, which warp %d has read without a barrier between"
                .formatted(address, reader));
      }
    }
    readers[word] = 0;
    writers[word] = (times[warp] << THREAD_BITS) | ((long) warp * Slot.LANES + lane);
    writtenIn[word] = known ? block : 0;
  }

  private void requireOrdered(long writer, int warp, int lane, int address, String does) {
    int thread = (int) writer & ((1 << THREAD_BITS) - 1);
    int writes = thread / Slot.LANES;
    if (thread != warp * Slot.LANES + lane && writer >>> THREAD_BITS > seen[warp][writes]) {
      throw EmulatorFault.of(
          lane,
          "%s shared word %d, which lane %d of warp %d has written without a barrier between"
              .formatted(does, address, thread % Slot.LANES, writes));
    }
  }

  private void requireNoCopy(int word, int lane) {
    if (copying[word] != 0) {
      throw EmulatorFault.of(
          lane,
          "accesses shared word %d, to which thread %d is still copying"
              .formatted(word * WORD, copying[word] - 1));
    }
  }

  /** Notes that a copy to a word has started or is done. */
  void copying(int warp, int lane, int address, boolean starts) {
    copying[address / WORD] = starts ? warp * Slot.LANES + lane + 1 : 0;
  }

  int int32(int address) {
    return (int) INTS.get(bytes, address);
  }

  void int32(int address, int value) {
    INTS.set(bytes, address, value);
  }

  int uint8(int address) {
    return bytes[address] & 0xFF;
  }

  void uint8(int address, int value) {
    bytes[address] = (byte) value;
  }
}
