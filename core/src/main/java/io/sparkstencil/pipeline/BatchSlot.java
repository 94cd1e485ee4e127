/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** One batch in the making, in flight or being emptied, and the memory that it lives in. */
final class BatchSlot<A> implements AutoCloseable {
  /** Outputs per piece below which halos would dominate the staged cells. */
  private static final int MIN_PIECE_CELLS = 4096;

  /** Where the outputs of layout piece {@code piece} go; -1 for a segment without cells. */
  private record Piece<A>(Segment<A> segment, int from, int piece) {}

  private final Lane lane;
  private final List<CompiledStencil> stencils;
  private final PipelineMetrics metrics;
  private final ElementType type;
  private final StagingLayout layout;
  private final StagingWriter writer;
  private final int capacity;
  private final List<Piece<A>> pieces = new ArrayList<>();
  private final List<CellBuffer> outputs = new ArrayList<>();
  private CellBuffer input;
  private boolean hasNulls;
  private Completion completion;

  BatchSlot(Lane lane, List<CompiledStencil> stencils, int batchBytes, PipelineMetrics metrics) {
    this.lane = lane;
    this.stencils = stencils;
    this.metrics = metrics;
    this.type = stencils.get(0).spec().type();
    int left = stencils.stream().mapToInt(s -> s.spec().frame().left()).max().orElse(0);
    int right = stencils.stream().mapToInt(s -> s.spec().frame().right()).max().orElse(0);
    this.layout = new StagingLayout(left, right);
    this.writer = new StagingWriter(type, stencils.get(0).spec().boundary(), layout);
    this.capacity =
        Math.addExact(
            left + right, Math.max(MIN_PIECE_CELLS, batchBytes / type.bytes() - left - right));
  }

  /**
   * Stages cells of {@code segment} from {@code from} on, as many as fit.
   *
   * @return the cells staged, or -1 if there is no room in this batch
   */
  int tryStage(Segment<A> segment, int from) {
    long start = System.nanoTime();
    if (segment.length() == 0) {
      pieces.add(new Piece<>(segment, 0, -1));
      return 0;
    }
    int room = capacity - layout.stagedCells() - layout.left() - layout.right();
    int rest = segment.length() - from;
    int count = Math.min(rest, room);
    // A sliver of a segment costs whole halos: leave it to the next batch.
    if (count < rest && count < MIN_PIECE_CELLS && layout.pieces() > 0) {
      return -1;
    }
    if (segment.hasNulls() && (input == null || !input.hasValidity())) {
      if (layout.pieces() > 0) {
        return -1;
      }
      lease(true);
    } else if (input == null) {
      lease(false);
    }
    int piece = writer.stage(segment, from, count, input);
    hasNulls |= segment.hasNulls();
    pieces.add(new Piece<>(segment, from, piece));
    metrics.staged(System.nanoTime() - start);
    return count;
  }

  private void lease(boolean withValidity) {
    close();
    input = lane.lease(type, capacity, withValidity);
    for (int i = 0; i < stencils.size(); i++) {
      outputs.add(lane.lease(type, capacity, withValidity));
    }
  }

  /** Starts the batch; false if nothing was staged. */
  boolean submit() {
    if (pieces.isEmpty()) {
      return false;
    }
    if (layout.pieces() == 0) {
      completion = Completion.DONE;
      return true;
    }
    long start = System.nanoTime();
    if (hasNulls) {
      for (Piece<A> piece : pieces) {
        if (piece.piece() >= 0) {
          writer.stageValidity(piece.segment(), piece.from(), piece.piece(), input);
        }
      }
    }
    metrics.staged(System.nanoTime() - start);
    start = System.nanoTime();
    completion = lane.submit(new StagedBatch(layout, input, hasNulls), stencils, outputs);
    metrics.waited(System.nanoTime() - start);
    metrics.batch(layout.outputCells(), (long) layout.stagedCells() * type.bytes());
    return true;
  }

  /** Waits for the batch, copies results out and adds the segments that are complete. */
  void awaitAndUnstage(Collection<Segment<A>> finished) {
    long start = System.nanoTime();
    completion.await();
    completion = null;
    metrics.waited(System.nanoTime() - start);
    start = System.nanoTime();
    for (Piece<A> piece : pieces) {
      Segment<A> segment = piece.segment();
      int count = piece.piece() < 0 ? 0 : layout.cells(piece.piece());
      for (int k = 0; k < outputs.size() && count > 0; k++) {
        outputs
            .get(k)
            .read(layout.start(piece.piece()), segment.result(k, type), piece.from(), count);
        unstageValidity(piece, k, count);
      }
      if (piece.from() + count == segment.length()) {
        finished.add(segment);
      }
    }
    pieces.clear();
    layout.clear();
    hasNulls = false;
    metrics.unstaged(System.nanoTime() - start);
  }

  private void unstageValidity(Piece<A> piece, int k, int count) {
    Segment<A> segment = piece.segment();
    byte[] known = segment.resultValidity(k);
    byte[] ofPiece =
        hasNulls ? null : ResultValidity.ofPiece(layout, piece.piece(), stencils.get(k).spec());
    if (!hasNulls && ofPiece == null && known == null) {
      return;
    }
    if (known == null) {
      known = new byte[segment.length()];
      Arrays.fill(known, 0, piece.from(), (byte) 1);
      segment.setResultValidity(k, known);
    }
    if (hasNulls) {
      outputs.get(k).readValidity(layout.start(piece.piece()), known, piece.from(), count);
    } else if (ofPiece != null) {
      System.arraycopy(ofPiece, 0, known, piece.from(), count);
    } else {
      Arrays.fill(known, piece.from(), piece.from() + count, (byte) 1);
    }
  }

  /** Returns the memory, also if the batch in flight has failed; that failure is thrown last. */
  @Override
  public void close() {
    Completion inFlight = completion;
    completion = null;
    try {
      if (inFlight != null) {
        inFlight.await();
      }
    } finally {
      if (input != null) {
        input.close();
        input = null;
      }
      outputs.forEach(CellBuffer::close);
      outputs.clear();
    }
  }
}
