/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.plan.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies whole fields between the heap and a device. The link is faster than one thread that moves
 * cells between the heap and pinned memory, so large fields are copied by several.
 */
final class FieldCopies {
  private static final long CHUNK_BYTES = 16 << 20;

  private final ProgramDevice device;
  private final FieldLayout layout;
  private final List<Chunk> chunks = new ArrayList<>();

  /** Rows of a field that one thread copies. */
  private record Chunk(int field, long firstCell, long rows, int rowCells, long offset) {}

  /**
   * Prepares copies.
   *
   * @param planes the planes of a field
   * @param fields how many fields, the first ones, are copied
   */
  FieldCopies(ProgramDevice device, FieldLayout layout, int planes, int fields) {
    this.device = device;
    this.layout = layout;
    long rows = layout.rows(planes);
    int cellBytes = layout.type().bytes();
    for (int field = 0; field < fields; field++) {
      if (rows == 1) {
        int most = (int) CHUNK_BYTES / cellBytes;
        for (long cell = 0; cell < layout.rowCells(); cell += most) {
          int cells = (int) Math.min(most, layout.rowCells() - cell);
          chunks.add(new Chunk(field, cell, 1, cells, cell * cellBytes));
        }
      } else {
        long most = Math.max(1, CHUNK_BYTES / layout.rowBytes());
        for (long row = 0; row < rows; row += most) {
          long count = Math.min(most, rows - row);
          long first = row * layout.rowCells();
          chunks.add(new Chunk(field, first, count, layout.rowCells(), row * layout.rowBytes()));
        }
      }
    }
  }

  /** Copies arrays on the heap to a device; they are there when this returns. */
  void load(List<Object> arrays, List<Stored> fields, int threads) {
    forEach(
        threads,
        (copies, chunk) ->
            copies.copyIn(
                arrays.get(chunk.field()),
                chunk.firstCell(),
                chunk.rows(),
                chunk.rowCells(),
                fields.get(chunk.field()).address() + chunk.offset(),
                layout.rowBytes()));
  }

  /** Copies fields on a device, on which nothing is running, to arrays on the heap. */
  void store(List<Stored> fields, List<Object> arrays, int threads) {
    forEach(
        threads,
        (copies, chunk) ->
            copies.copyOut(
                fields.get(chunk.field()).address() + chunk.offset(),
                layout.rowBytes(),
                chunk.rows(),
                chunk.rowCells(),
                arrays.get(chunk.field()),
                chunk.firstCell()));
  }

  /** Copies a chunk. */
  private interface Work {
    void copy(HostCopies copies, Chunk chunk);
  }

  private void forEach(int threads, Work work) {
    AtomicInteger next = new AtomicInteger();
    int workers = Math.max(1, Math.min(threads, chunks.size()));
    Workers.run(workers, () -> copy(next, work));
  }

  private void copy(AtomicInteger next, Work work) {
    ProgramLane lane = device.takeLane();
    try (HostCopies copies = new HostCopies(device, lane.main(), layout.type(), layout.bytes())) {
      for (int i = next.getAndIncrement(); i < chunks.size(); i = next.getAndIncrement()) {
        work.copy(copies, chunks.get(i));
      }
      copies.finish();
    } finally {
      device.giveBack(lane);
    }
  }
}
