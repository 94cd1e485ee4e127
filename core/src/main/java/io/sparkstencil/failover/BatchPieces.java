/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * One batch run through an engine whose buffers it does not lie in: cut into smaller batches, each
 * copied there and back. Pieces of series that do not fit are cut, too, with their halos.
 *
 * <pre>
 *   piece of the batch   | left | cells ........................ | right |
 *   part of it                  | left | cells .... | right |
 * </pre>
 */
final class BatchPieces {
  /** Outputs per part at least, so that halos do not dominate. */
  private static final int LEAST_PART_CELLS = 1024;

  /** Cells of a piece from {@code from} on, and which part of the small batch they became. */
  private record Part(int piece, int from, int count, int part) {}

  private final Lane lane;
  private final StagedBatch batch;
  private final List<CompiledStencil> stencils;
  private final List<CellBuffer> outputs;
  private final int capacity;
  private final ElementType type;
  private final Object cells; // on the way between buffers
  private final byte[] validity;

  /**
   * Prepares the cut.
   *
   * @param lane where the batch runs
   * @param batch what is to run
   * @param stencils compiled by the lane's engine
   * @param outputs where the results go
   * @param mostCells staged cells at a time; more if the halos alone need more
   */
  BatchPieces(
      Lane lane,
      StagedBatch batch,
      List<CompiledStencil> stencils,
      List<CellBuffer> outputs,
      int mostCells) {
    this.lane = lane;
    this.batch = batch;
    this.stencils = stencils;
    this.outputs = outputs;
    this.type = batch.cells().type();
    StagingLayout layout = batch.layout();
    int least = Math.addExact(layout.left() + layout.right(), LEAST_PART_CELLS);
    this.capacity = Math.min(layout.stagedCells(), Math.max(least, mostCells));
    this.cells = type.newArray(capacity);
    this.validity = batch.hasNulls() ? new byte[capacity] : null;
  }

  /** Runs the batch; all results are in the outputs on return. */
  void run() {
    try (CloseScope buffers = new CloseScope()) {
      CellBuffer input = buffers.add(lane.lease(type, capacity, batch.hasNulls()));
      List<CellBuffer> results = new ArrayList<>();
      for (int i = 0; i < stencils.size(); i++) {
        results.add(buffers.add(lane.lease(type, capacity, batch.hasNulls())));
      }
      StagingLayout layout = batch.layout();
      StagingLayout small = new StagingLayout(layout.left(), layout.right());
      List<Part> parts = new ArrayList<>();
      for (int piece = 0; piece < layout.pieces(); piece++) {
        int from = 0;
        while (from < layout.cells(piece)) {
          int room = capacity - small.stagedCells() - layout.left() - layout.right();
          int rest = layout.cells(piece) - from;
          if (room < Math.min(rest, LEAST_PART_CELLS)) {
            flush(small, parts, input, results);
            continue;
          }
          int count = Math.min(rest, room);
          parts.add(new Part(piece, from, count, add(small, piece, from, count)));
          from += count;
        }
      }
      flush(small, parts, input, results);
    }
  }

  /** Appends a part of a piece with the missing cells that fall into it. */
  private int add(StagingLayout small, int piece, int from, int count) {
    StagingLayout layout = batch.layout();
    int staged = layout.left() + count + layout.right();
    int after = layout.cells(piece) - from - count;
    return small.add(
        count,
        Math.min(staged, Math.max(0, layout.missingLeft(piece) - from)),
        Math.min(staged, Math.max(0, layout.missingRight(piece) - after)));
  }

  private void flush(
      StagingLayout small, List<Part> parts, CellBuffer input, List<CellBuffer> results) {
    if (parts.isEmpty()) {
      return;
    }
    StagingLayout layout = batch.layout();
    for (Part part : parts) {
      int source = layout.start(part.piece()) + part.from();
      int target = small.start(part.part());
      int staged = layout.left() + part.count() + layout.right();
      copy(batch.cells(), source, input, target, staged);
    }
    lane.submit(new StagedBatch(small, input, batch.hasNulls()), stencils, results).await();
    for (Part part : parts) {
      int source = small.start(part.part());
      int target = layout.start(part.piece()) + part.from();
      for (int k = 0; k < results.size(); k++) {
        copy(results.get(k), source, outputs.get(k), target, part.count());
      }
    }
    parts.clear();
    small.clear();
  }

  private void copy(CellBuffer source, int from, CellBuffer target, int at, int count) {
    source.read(from, cells, 0, count);
    target.write(at, cells, 0, count);
    if (validity != null) {
      source.readValidity(from, validity, 0, count);
      target.writeValidity(at, validity, 0, count);
    }
  }
}
