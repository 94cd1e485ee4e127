/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Page-locked memory by which the words of rows travel to a device and back. Two buffers take
 * turns: one is filled or emptied while the device has the other.
 */
final class SortStage implements AutoCloseable {
  static final int BUFFERS = 2;

  /** Enough for copies to reach the speed of the link. */
  private static final long MOST_BYTES = 2L << 20;

  private final DeviceStreams.Shared shared;
  private final List<BufferLease<PinnedBuffer>> leases;
  private final List<LongBuffer> views = new ArrayList<>();
  private final List<CudaEvent> copied = new ArrayList<>();
  private final CloseScope events = new CloseScope();
  private final int columns;
  private final int rows;
  private int turn;

  /**
   * Creates the stage of a sort.
   *
   * @param leases two, of as many bytes
   */
  SortStage(
      PrimaryContext context,
      DeviceStreams.Shared shared,
      List<BufferLease<PinnedBuffer>> leases,
      int columns) {
    this.shared = shared;
    this.leases = leases;
    this.columns = columns;
    long bytes = leases.get(0).buffer().bytes();
    this.rows = (int) (Math.min(bytes, MOST_BYTES) / Long.BYTES / columns);
    try {
      for (BufferLease<PinnedBuffer> lease : leases) {
        CudaEvent event = events.add(context.newMarker());
        lease.inUseUntil(event);
        copied.add(event);
        views.add(lease.buffer().view(0, (long) rows * columns * Long.BYTES).asLongBuffer());
      }
    } catch (RuntimeException e) {
      throw events.closeAfter(e);
    }
  }

  /** Takes the memory for some rows; fewer buffers, or none, if there is too little. */
  static List<BufferLease<PinnedBuffer>> tryLease(
      BufferPool<PinnedBuffer> pinned, int rows, int columns) {
    List<BufferLease<PinnedBuffer>> taken = new ArrayList<>();
    long ofRow = (long) columns * Long.BYTES;
    if (ofRow > MOST_BYTES) {
      return taken;
    }
    long bytes = Math.min(MOST_BYTES, ofRow * rows);
    for (int i = 0; i < BUFFERS; i++) {
      Optional<BufferLease<PinnedBuffer>> lease = pinned.tryLease(bytes);
      lease.ifPresent(taken::add);
    }
    return taken;
  }

  /** Returns how many rows a buffer takes. */
  int rows() {
    return rows;
  }

  /**
   * Puts rows into the buffer whose turn it is, behind those that are there.
   *
   * @param words the words of each column, or null for one of zeros
   * @param there how many rows are there
   * @return how many fit
   */
  int put(long[][] words, int from, int count, int there) {
    if (there == 0) {
      copied.get(turn).synchronize();
    }
    int fits = Math.min(count, rows - there);
    LongBuffer view = views.get(turn);
    for (int column = 0; column < columns; column++) {
      int at = column * rows + there;
      if (words[column] == null) {
        for (int i = at; i < at + fits; i++) {
          view.put(i, 0);
        }
      } else {
        view.put(at, words[column], from, fits);
      }
    }
    return fits;
  }

  /**
   * Sends the rows of the buffer whose turn it is.
   *
   * @param to where the first column goes
   * @param stride bytes from there to the next
   */
  void send(int count, long to, long stride) {
    PinnedBuffer buffer = leases.get(turn).buffer();
    synchronized (shared) { // copies stay together, as those of a batch do
      for (int column = 0; column < columns; column++) {
        long from = (long) column * rows * Long.BYTES;
        shared.stream.copyIn(buffer, from, (long) count * Long.BYTES, to + column * stride);
      }
      copied.get(turn).record(shared.stream);
    }
    turn = (turn + 1) % BUFFERS;
  }

  /** Reads words that lie one after the other on the device. */
  void read(long source, int count, long[] to, int at) {
    int most = rows * columns;
    int asked = 0;
    int taken = 0;
    while (taken < count) {
      while (asked < count && asked - taken < BUFFERS * most) {
        ask(source + (long) asked * Long.BYTES, Math.min(most, count - asked));
        asked += Math.min(most, count - asked);
      }
      int oldest = (turn + BUFFERS - (asked - taken + most - 1) / most) % BUFFERS;
      copied.get(oldest).synchronize();
      int words = Math.min(most, count - taken);
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
