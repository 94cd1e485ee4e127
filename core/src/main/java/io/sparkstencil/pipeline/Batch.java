/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.CellSink;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What one staging has in a slot: cells on their way to an engine, and the results. */
final class Batch implements AutoCloseable {
  /** Outputs per piece below which halos would dominate the staged cells. */
  static final int MIN_PIECE_CELLS = 4096;

  private static final int MAX_CELLS = Integer.MAX_VALUE - 8;

  /** Where a piece of a segment that keeps its results was staged. */
  private record Part(Segment<?> segment, int from, int piece) {}

  private final int index;
  private final Staging staging;
  private final StencilEngine engine;
  private final Lane engineLane;
  private Lane lane;
  private final ElementType type;
  private final StagingWriter writer;
  private final int firstResult; // of a series that is staged at all
  private final int batchCells;
  private final boolean nullsComeUp; // between steps, although no cell is null
  private final List<Part> parts = new ArrayList<>();
  private final List<CellBuffer> outputs = new ArrayList<>();
  private List<StencilSpec> specs;
  private List<CompiledStencil> stencils;
  private StagingLayout layout;
  private InPlace inPlace;
  private final int reach; // of frames that are cut for short series, or too wide to be staged
  private boolean tooWide; // frames for series of this length, of which the whole is needed
  private boolean withoutHalos; // as frames are too wide, over whole series
  private int seriesLength; // for which the stencils are made
  private int longest; // of the series since the last ones were forgotten
  private int capacity;
  private CellBuffer input;
  private CellBuffer between; // results on their way to the next step
  private long heldCells; // of series without results, which are kept until their item ends
  private boolean hasNulls;
  private boolean nullsToCome; // in a later segment of an item that must end in this batch
  private byte[] validity = new byte[0];
  private Completion completion;

  Batch(int index, Staging staging, StencilEngine engine, Lane lane, int batchBytes) {
    this.index = index;
    this.staging = staging;
    this.engine = engine;
    this.engineLane = lane;
    this.lane = lane;
    this.type = staging.type();
    this.writer = new StagingWriter(type, staging.boundary());
    this.firstResult = staging.steps() == 1 ? staging.cutLeft() : 0;
    this.batchCells = batchBytes / type.bytes();
    StencilSpec spec = staging.specs().get(0);
    this.nullsComeUp =
        staging.steps() > 1
            && staging.boundary().leavesMissing()
            && (spec.frame().preceding() < 0 || spec.frame().following() < 0);
    this.reach =
        staging.specs().stream()
            .filter(each -> !each.equals(each.withinSeriesOf(0)) || halos(each) > batchCells)
            .mapToInt(each -> Math.max(each.frame().left(), each.frame().right()))
            .max()
            .orElse(0);
  }

  private static int halos(StencilSpec spec) {
    return spec.frame().left() + spec.frame().right();
  }

  /** Makes the stencils for series of up to {@code length} cells. */
  private void openFor(int length, boolean whole) {
    seriesLength = 0; // should a stencil not compile
    specs = staging.specs().stream().map(spec -> spec.withinSeriesOf(length)).toList();
    tooWide = areTooWide(length);
    withoutHalos = whole && tooWide;
    StencilEngine runs = withoutHalos ? Engines.select(Engines.CPU).open(Map.of()) : engine;
    stencils = specs.stream().map(runs::compile).toList();
    Lane next = withoutHalos ? runs.openLane() : engineLane;
    int alignment = staging.steps() > 1 ? Lane.STEP_ALIGNMENT_CELLS : 1;
    layout = withoutHalos ? new StagingLayout(0, 0) : StagingLayout.ofFrames(specs, alignment);
    inPlace = new InPlace(next, stencils, layout.left(), layout.right());
    int halos = layout.halos();
    int least = Math.addExact(halos, Math.max(MIN_PIECE_CELLS, batchCells - halos));
    least = withoutHalos ? Math.max(least, length) : least;
    if (least != capacity || lane != next) {
      close();
      capacity = least;
      lane = next;
    }
    seriesLength = length;
  }

  /** Tells whether frames that cannot be cut would make more cells than a batch or the series. */
  private boolean areTooWide(int length) {
    return length != ShortSeries.ANY_LENGTH
        && !staging.boundary().leavesMissing()
        && staging.cutLeft() + staging.cutRight() == 0
        && StagingLayout.ofFrames(specs, 1).halos() > Math.max(batchCells, 2L * length);
  }

  /**
   * Prepares a batch that is empty for series of up to {@code cells} cells, and for some as long as
   * in the batch before.
   */
  private void expect(int cells, boolean whole) {
    int length = ShortSeries.lengthFor(reach, Math.max(cells, longest));
    longest = 0;
    if (length != seriesLength || withoutHalos != (whole && tooWide)) {
      openFor(length, whole);
    }
  }

  /** Tells whether an item may begin in this batch; prepares the batch if it is empty. */
  boolean admits(ItemCells item, boolean first) {
    ItemCells.Input cells = item.input(staging.input());
    if (first) {
      expect(cells.longest(), cells.areWhole());
    } else if (cells.longest() > seriesLength || (withoutHalos && !cells.areWhole())) {
      return false;
    }
    if (cells.keepsResults() && staging.steps() == 1) {
      return first || layout.stagedCells() + inPlace.cells() + heldCells < batchCells;
    }
    boolean nulls = cells.hasNulls() || nullsComeUp;
    long after = layout.stagedCells() + item.stagedCells(staging, layout.halos());
    if (first) {
      reserve(after);
    }
    return first || (after <= batchCells && (!nulls || input == null || input.hasValidity()));
  }

  /** Makes room for {@code stagedCells} in a batch that is empty. */
  private void reserve(long stagedCells) {
    if (stagedCells > MAX_CELLS) {
      throw new BadDataException(
          "the arrays of one row make %d cells with their halos, more than the %d that can be staged at once; split the array or narrow the frame"
              .formatted(stagedCells, MAX_CELLS));
    }
    if (stagedCells > capacity) {
      close();
      capacity = (int) stagedCells;
    }
  }

  /** Stages what is left of an item; false if some of it is for the next batch. */
  boolean stage(ItemCells item) {
    ItemCells.Input cells = item.input(staging.input());
    nullsToCome = !cells.keepsResults() && cells.hasNulls();
    Segment<?> segment;
    while ((segment = item.current(index, staging.input())) != null) {
      int results = staging.steps() == 1 ? staging.results(segment.length()) : segment.length();
      int done = item.staged(index);
      if (done == 0) {
        longest = Math.max(longest, segment.length());
        heldCells += results == 0 ? segment.length() : 0;
        openEmptyResults(segment);
      }
      if (done < results) {
        int staged = stage(segment, firstResult + done, results - done);
        if (staged == 0) {
          return false;
        }
        item.advance(index, staged);
      }
      if (item.staged(index) == results) {
        item.finish(index);
      }
    }
    return true;
  }

  /** Others are made when they are written: new memory that waits is written twice. */
  private void openEmptyResults(Segment<?> segment) {
    for (int k = 0; k < segment.resultCount() && staging.results(segment.length()) == 0; k++) {
      segment.result(k, type, 0);
    }
  }

  /**
   * Stages, or computes in place, up to {@code rest} results of a segment from {@code from} on.
   *
   * @return how many; 0 if there is no room for them in this batch
   */
  private int stage(Segment<?> segment, int from, int rest) {
    boolean mayCut = segment.resultCount() > 0 && staging.steps() == 1 && !withoutHalos;
    if (mayCut) {
      int inside = inPlace.run(segment, from, rest, staging);
      if (inside > 0) {
        return inside;
      }
      return stage(segment, from, inPlace.untilInside(segment, from, rest), true);
    }
    return stage(segment, from, rest, false);
  }

  private int stage(Segment<?> segment, int from, int rest, boolean mayCut) {
    int room = capacity - layout.stagedCells() - layout.halos();
    int count = mayCut ? Math.min(rest, room) : rest;
    // A sliver of a segment costs whole halos: leave it to the next batch.
    boolean sliver = count < rest && count < MIN_PIECE_CELLS;
    if ((sliver || count > room) && layout.pieces() > 0) {
      return 0;
    }
    boolean nulls = segment.hasNulls() || nullsComeUp;
    boolean withValidity = nulls || nullsToCome;
    if (input == null || (withValidity && !input.hasValidity())) {
      if (layout.pieces() > 0) {
        return 0;
      }
      lease(withValidity);
    }
    if (nulls && !hasNulls) {
      hasNulls = true;
      for (int earlier = 0; earlier < layout.pieces(); earlier++) {
        StagingWriter.stageValid(layout, earlier, input);
      }
    }
    int piece = writer.stage(segment, from, count, layout, input, hasNulls);
    if (segment.resultCount() > 0) {
      parts.add(new Part(segment, from, piece));
    }
    return count;
  }

  private void lease(boolean withValidity) {
    close();
    input = lane.lease(type, capacity, withValidity);
    for (int i = 0; i < stencils.size(); i++) {
      outputs.add(lane.lease(type, capacity, withValidity));
    }
    if (staging.steps() > 1) {
      between = lane.lease(type, capacity, withValidity);
    }
  }

  int pieces() {
    return layout.pieces();
  }

  /** Returns the outputs of all pieces, in place or staged, and steps. */
  long outputCells() {
    return ((long) layout.outputCells() + inPlace.cells()) * staging.steps();
  }

  Staging staging() {
    return staging;
  }

  int firstResult() {
    return firstResult;
  }

  /** Starts the batch. */
  void submit() {
    if (layout.pieces() == 0) {
      return;
    }
    StagedBatch batch = new StagedBatch(layout, input, hasNulls);
    completion =
        staging.steps() == 1
            ? lane.submit(batch, stencils, outputs)
            : lane.submitSteps(batch, stencils.get(0), outputs.get(0), between, staging.steps());
  }

  /** Tells whether {@link #awaitAndUnstage} returns without waiting. */
  boolean isDone() {
    return completion == null || completion == Completion.DONE;
  }

  /** Waits for the engine, and copies results to the segments that keep them. */
  void awaitAndUnstage() {
    await();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      int cells = layout.cells(part.piece());
      int results = staging.results(part.segment().length());
      int from = Math.max(part.from(), staging.cutLeft());
      int until = Math.min(part.from() + cells, staging.cutLeft() + results);
      for (int k = 0; k < outputs.size() && from < until; k++) {
        Object kept = part.segment().result(k, type, results);
        int skip = from - part.from();
        int to = from - staging.cutLeft();
        outputs.get(k).read(layout.start(part.piece()) + skip, kept, to, until - from);
        unstageValidity(part, k, skip, to, until - from);
      }
    }
    parts.clear();
  }

  private void await() {
    Completion pending = completion;
    completion = null; // a batch that fails has ended, too
    if (pending != null) {
      pending.await();
    }
  }

  private void unstageValidity(Part part, int k, int skip, int to, int count) {
    Segment<?> segment = part.segment();
    byte[] ofPiece = hasNulls ? null : ResultValidity.ofPiece(layout, part.piece(), specs.get(k));
    byte[] known = segment.resultValidity(k);
    if (!hasNulls && ofPiece == null && known == null) {
      return;
    }
    if (known == null) {
      known = new byte[staging.results(segment.length())];
      Arrays.fill(known, (byte) 1);
      segment.setResultValidity(k, known);
    }
    if (hasNulls) {
      outputs.get(k).readValidity(layout.start(part.piece()) + skip, known, to, count);
    } else if (ofPiece != null) {
      System.arraycopy(ofPiece, skip, known, to, count);
    } else {
      Arrays.fill(known, to, to + count, (byte) 1);
    }
  }

  /** Returns validity bytes of a piece, valid until the next call, or null if no result is null. */
  byte[] resultValidity(int output, int piece) {
    if (!hasNulls) {
      return ResultValidity.ofPiece(layout, piece, specs.get(output));
    }
    int count = layout.cells(piece);
    if (validity.length < count) {
      validity = new byte[count];
    }
    outputs.get(output).readValidity(layout.start(piece), validity, 0, count);
    for (int i = 0; i < count; i++) {
      if (validity[i] == 0) {
        return validity;
      }
    }
    return null;
  }

  /** Hands results of a piece on, counted from its first one. */
  void copyResults(int output, int piece, int from, int count, CellSink sink) {
    sink.take(outputs.get(output), layout.start(piece) + from, count);
  }

  /** Forgets the segments; keeps the memory. */
  void clear() {
    if (layout == null) {
      return; // nothing has come so far
    }
    layout.clear();
    inPlace.clear();
    parts.clear();
    heldCells = 0;
    hasNulls = false;
  }

  /** Waits for the engine and returns the memory; the next segment takes some again. */
  @Override
  public void close() {
    try {
      await();
    } finally {
      if (input != null) {
        input.close();
        input = null;
      }
      outputs.forEach(CellBuffer::close);
      outputs.clear();
      if (between != null) {
        between.close();
        between = null;
      }
    }
  }
}
