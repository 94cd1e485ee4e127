/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.sort.UnpackKernel;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Page-locked memory by which rows travel to a device, as they were added, and words travel back.
 * Two buffers take turns: one is filled or emptied while the device has the other. Lines that
 * describe rows come before them.
 *
 * <pre>
 *   buffer   | line | line | ... | rows added together | rows added together | ...
 * </pre>
 */
final class SortStage implements AutoCloseable {
  static final int BUFFERS = 2;

  /** Bytes of a buffer: enough for copies to reach the speed of the link. */
  static final int BYTES = 2 << 20;

  private static final int WORDS = BYTES / Long.BYTES;
  private static final int MOST_LINES = 512;

  private final DeviceStreams.Shared shared;
  private final List<BufferLease<PinnedBuffer>> leases;
  private final List<LongBuffer> views = new ArrayList<>();
  private final List<CudaEvent> copied = new ArrayList<>();
  private final CloseScope events = new CloseScope();
  private final int lineWords;
  private final int mostLines;
  private final long[] line;
  private int turn;
  private int lines; // in the buffer whose turn it is
  private int used; // words of it

  /**
   * Creates the stage of a sort.
   *
   * @param leases from {@link #tryLease}
   */
  SortStage(
      PrimaryContext context,
      DeviceStreams.Shared shared,
      List<BufferLease<PinnedBuffer>> leases,
      int columns) {
    this.shared = shared;
    this.leases = leases;
    this.lineWords = lineWords(columns);
    this.mostLines = mostLines(columns);
    this.line = new long[lineWords];
    this.used = wordsOfLines();
    try {
      for (BufferLease<PinnedBuffer> lease : leases) {
        CudaEvent event = events.add(context.newMarker());
        lease.inUseUntil(event);
        copied.add(event);
        views.add(lease.buffer().view(0, BYTES).asLongBuffer());
      }
    } catch (RuntimeException e) {
      throw events.closeAfter(e);
    }
  }

  private static int lineWords(int columns) {
    return 1 + UnpackKernel.COLUMN_WORDS * columns;
  }

  /** Returns how many lines a buffer has, which leave room for most rows that can be added. */
  private static int mostLines(int columns) {
    return Math.min(MOST_LINES, (WORDS - RowSort.MOST_WORDS) / lineWords(columns));
  }

  /** Takes the memory; fewer buffers, or none, if there is too little, or for too many columns. */
  static List<BufferLease<PinnedBuffer>> tryLease(BufferPool<PinnedBuffer> pinned, int columns) {
    List<BufferLease<PinnedBuffer>> taken = new ArrayList<>();
    if (columns > WORDS || mostLines(columns) == 0) {
      return taken;
    }
    for (int i = 0; i < BUFFERS; i++) {
      Optional<BufferLease<PinnedBuffer>> lease = pinned.tryLease(BYTES);
      lease.ifPresent(taken::add);
    }
    return taken;
  }

  /** Returns the lines in the buffer whose turn it is. */
  int lines() {
    return lines;
  }

  /** Returns how many bytes come before the rows in a buffer. */
  long bytesOfLines() {
    return (long) wordsOfLines() * Long.BYTES;
  }

  private int wordsOfLines() {
    return mostLines * lineWords;
  }

  /** Tells whether rows of so many words find no room behind those that are there. */
  boolean isFullFor(int words) {
    return lines == mostLines || words > WORDS - used;
  }

  /**
   * Puts rows into the buffer whose turn it is, behind those that are there.
   *
   * @param first number of the first row
   */
  void put(long[] memory, int from, int words, List<RowSort.Packed> columns, int first, int count) {
    if (lines == 0) {
      copied.get(turn).synchronize();
    }
    LongBuffer view = views.get(turn);
    int at = used - wordsOfLines();
    line[0] = ((long) count << Integer.SIZE) | first;
    for (int c = 0; c < columns.size(); c++) {
      RowSort.Packed packed = columns.get(c);
      int place = packed.bits() == 0 ? at : at + packed.place(); // there is something to read
      int of = 1 + UnpackKernel.COLUMN_WORDS * c;
      line[of] = ((long) place << Byte.SIZE) | packed.bits();
      line[of + 1] = packed.base();
      line[of + 2] = Double.doubleToRawLongBits(packed.divisor());
    }
    view.put(lines * lineWords, line);
    view.put(used, memory, from, words);
    lines++;
    used += words;
  }

  /** Sends what is in the buffer whose turn it is, within a lock on the stream. */
  void send(long to) {
    shared.stream.copyIn(leases.get(turn).buffer(), (long) used * Long.BYTES, to);
    copied.get(turn).record(shared.stream);
    turn = (turn + 1) % BUFFERS;
    lines = 0;
    used = wordsOfLines();
  }

  /** Reads words that lie one after the other on the device. */
  void read(long source, int count, long[] to, int at) {
    int asked = 0;
    int taken = 0;
    while (taken < count) {
      while (asked < count && asked - taken < BUFFERS * WORDS) {
        int words = Math.min(WORDS, count - asked);
        ask(source + (long) asked * Long.BYTES, words);
        asked += words;
      }
      int oldest = (turn + BUFFERS - (asked - taken + WORDS - 1) / WORDS) % BUFFERS;
      copied.get(oldest).synchronize();
      int words = Math.min(WORDS, count - taken);
      views.get(oldest).get(0, to, at + taken, words);
      taken += words;
    }
  }

  private void ask(long source, int words) {
    copied.get(turn).synchronize();
    synchronized (shared) {
      shared.stream.copyOut(source, (long) words * Long.BYTES, leases.get(turn).buffer());
      copied.get(turn).record(shared.stream);
    }
    turn = (turn + 1) % BUFFERS;
  }

  /** Gives the memory back, once the device is done with it. */
  void giveBack() {
    leases.forEach(BufferLease::close);
  }

  @Override
  public void close() {
    events.close();
  }
}
