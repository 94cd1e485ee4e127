/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;

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

  /** Of the mark of a writer: its thread, whether its value is known, and above both the time. */
  private static final int THREAD = (1 << 10) - 1;

  private static final long KNOWN = 1 << 10;

  /** Whether it took part in a reduction, in which any number of threads may. */
  private static final long REDUCED = 1 << 11;

  private static final int TIME_SHIFT = 12;

  private static final int READER_BITS = 6;
  private static final int SEVERAL_LANES = 32;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int warps;

  /**
   * When a word was written, and by which thread: 0 if it was not. Negative while a thread copies
   * to it: that thread, counted from -1.
   */
  private final long[] writers;

  /** The warps that have read a word since it was written, a bit each. */
  private final int[] readers;

  /** When a warp read a word last, and which lane, by word and warp. */
  private final long[] reads;

  private final long[] times;

  /** The time of another warp up to which its accesses lie behind a warp. */
  private final long[][] seen;

  /** The time at which the block started. */
  private long beginning;

  SharedMemory(int size, int warps) {
    int words = (size + WORD - 1) / WORD;
    this.warps = warps;
    bytes = new byte[words * WORD];
    writers = new long[words];
    readers = new int[words];
    reads = new long[words * warps];
    times = new long[warps];
    seen = new long[warps][warps];
  }

  /** Starts the next block, which knows nothing of the one before. */
  void start() {
    long latest = Arrays.stream(times).max().orElse(0);
    beginning = latest + 1;
    Arrays.fill(times, beginning);
    for (long[] each : seen) {
      Arrays.fill(each, latest);
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

  /** Returns what the arrival of nobody lets others see. */
  long[] nothingSeen() {
    return new long[warps];
  }

  /**
   * Adds to what those see who wait for an arrival: what a warp had seen, and its own accesses up
   * to its last barrier.
   */
  void release(int warp, long[] arrivals) {
    for (int other = 0; other < warps; other++) {
      arrivals[other] = Math.max(arrivals[other], seen[warp][other]);
    }
  }

  /** Orders the accesses of a warp behind those before some arrivals. */
  void acquire(int warp, long[] arrivals) {
    for (int other = 0; other < warps; other++) {
      seen[warp][other] = Math.max(seen[warp][other], arrivals[other]);
    }
  }

  /** Requires that what another thread has written lies behind a barrier. */
  void requireOrdered(int warp, int lane, int address) {
    requireOrdered(writers[address / WORD], warp, lane, address, "uses");
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
    long writer = writers[word];
    requireOrdered(writer, warp, lane, address, "reads");
    int at = word * warps + warp;
    long time = times[warp];
    long before = reads[at];
    boolean another = before >>> READER_BITS == time && (before & 63) != lane;
    reads[at] = (time << READER_BITS) | (another ? SEVERAL_LANES : lane);
    readers[word] |= 1 << warp;
    return isKnown(writer);
  }

  /**
   * Notes that a thread writes part of a word.
   *
   * @param known whether it is known what it writes
   * @param same whether that is what is there
   */
  void write(int warp, int lane, int address, boolean known, boolean same) {
    int word = address / WORD;
    long writer = writers[word];
    if (!same || !isKnown(writer)) {
      requireOrdered(writer, warp, lane, address, "writes");
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
    writers[word] = (times[warp] << TIME_SHIFT) | (known ? KNOWN : 0) | thread(warp, lane);
  }

  private static long thread(int warp, int lane) {
    return (long) warp * Slot.LANES + lane;
  }

  /** Combines a word with a value for a thread of several, all of which combine alike. */
  void reduce(int warp, int lane, int address, int value, IntBinaryOperator combine) {
    int word = address / WORD;
    long writer = writers[word];
    if ((writer & REDUCED) == 0 || writer < 0) {
      requireOrdered(writer, warp, lane, address, "reduces");
    }
    write(warp, lane, address, isKnown(writer), true);
    writers[word] |= REDUCED;
    int32(address, combine.applyAsInt(int32(address), value));
  }

  private boolean isKnown(long writer) {
    return (writer & KNOWN) != 0 && writer >>> TIME_SHIFT >= beginning;
  }

  private void requireOrdered(long writer, int warp, int lane, int address, String does) {
    if (writer < 0) {
      throw EmulatorFault.of(
          lane,
          "%s shared word %d, to which thread %d is still copying"
              .formatted(does, address, -1 - writer));
    }
    int thread = (int) writer & THREAD;
    int writes = thread / Slot.LANES;
    if (thread != thread(warp, lane) && writer >>> TIME_SHIFT > seen[warp][writes]) {
      throw EmulatorFault.of(
          lane,
          "%s shared word %d, which lane %d of warp %d has written without a barrier between"
              .formatted(does, address, thread % Slot.LANES, writes));
    }
  }

  /** Notes that a thread starts a copy to a word, which nobody may access until it has arrived. */
  void startCopy(int warp, int lane, int address) {
    write(warp, lane, address, false, false);
    writers[address / WORD] = -1 - thread(warp, lane);
  }

  /** Puts what a thread has copied to a word. */
  void endCopy(int warp, int lane, int address, int value, boolean known) {
    writers[address / WORD] = 0;
    write(warp, lane, address, known, false);
    int32(address, value);
  }

  /** Makes a word as it is before anybody has written it. */
  void forget(int address) {
    writers[address / WORD] = 0;
  }

  int int32(int address) {
    return (int) INTS.get(bytes, address);
  }

  void int32(int address, int value) {
    INTS.set(bytes, address, value);
  }

  /** Returns 1, 2 or 4 bytes as a number without a sign. */
  int uint(int address, int count) {
    return switch (count) {
      case 1 -> bytes[address] & 0xFF;
      case 2 -> (bytes[address] & 0xFF) | ((bytes[address + 1] & 0xFF) << 8);
      default -> int32(address);
    };
  }

  /** Puts the lowest 1 or 2 bytes of a number. */
  void uint(int address, int count, int value) {
    for (int i = 0; i < count; i++) {
      bytes[address + i] = (byte) (value >> (8 * i));
    }
  }
}
