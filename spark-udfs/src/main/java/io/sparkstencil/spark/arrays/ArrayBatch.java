/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.exec.ShortSeries;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.ArrayList;
import java.util.List;

/** The arrays of one group that go through its stencils together. Used by one thread. */
final class ArrayBatch implements AutoCloseable {
  private static final int MAX_CELLS = Integer.MAX_VALUE - 8;

  private final ArrayPlan.Group group;
  private final ElementType source;
  private final boolean withValidity;
  private final Lane lane;
  private final StencilEngine engine;
  private final ElementType type;
  private final Boundary boundary;
  private final CellTransfer transfer;
  private final List<CellBuffer> outputs = new ArrayList<>();
  private final int[] indices = new int[CellTransfer.chunkCells()];
  private final long batchCells;
  private final int alignment;
  private final int reach; // of frames that are cut for short arrays, 0 if they are not
  private List<StencilSpec> specs;
  private List<CompiledStencil> stencils;
  private StagingLayout layout;
  private int seriesLength; // for which the stencils are made
  private int longest; // of the arrays since the last ones were forgotten
  private int capacity;
  private CellBuffer input;
  private CellBuffer between; // results on their way to the next step
  private boolean hasNulls;
  private byte[] validity = new byte[0];
  private Completion completion;

  ArrayBatch(
      ArrayPlan.Group group,
      ArrayPlan.Input source,
      StencilEngine engine,
      Lane lane,
      int batchBytes) {
    this.group = group;
    this.source = source.type();
    this.engine = engine;
    this.lane = lane;
    this.alignment = group.steps() > 1 ? Lane.STEP_ALIGNMENT_CELLS : 1;
    this.type = group.type();
    this.boundary = group.boundary();
    this.transfer = new CellTransfer(type);
    this.withValidity = source.nullElements() || nullsComeUpBetweenSteps();
    this.capacity = batchBytes / type.bytes();
    this.batchCells = capacity;
    openFor(ShortSeries.ANY_LENGTH);
    this.reach =
        boundary.mode() == Boundary.Mode.SHRINK ? Math.max(layout.left(), layout.right()) : 0;
  }

  /** Makes the stencils for arrays of up to {@code length} cells. */
  private void openFor(int length) {
    seriesLength = length;
    specs = group.specs().stream().map(spec -> spec.withinSeriesOf(length)).toList();
    stencils = specs.stream().map(engine::compile).toList();
    int left = specs.stream().mapToInt(s -> s.frame().left()).max().orElse(0);
    int right = specs.stream().mapToInt(s -> s.frame().right()).max().orElse(0);
    layout = new StagingLayout((left + alignment - 1) / alignment * alignment, right);
  }

  /**
   * Prepares a batch that is empty for arrays of up to {@code cells} cells, and for some as long as
   * in the batch before.
   */
  void expect(int cells) {
    int length = ShortSeries.lengthFor(reach, Math.max(cells, longest));
    longest = 0;
    if (length != seriesLength) {
      openFor(length);
    }
  }

  private boolean nullsComeUpBetweenSteps() {
    StencilSpec spec = group.specs().get(0);
    return group.steps() > 1
        && boundary.leavesMissing()
        && (spec.frame().preceding() < 0 || spec.frame().following() < 0);
  }

  int inputIndex() {
    return group.input();
  }

  int pieces() {
    return layout.pieces();
  }

  long outputCells() {
    return (long) layout.outputCells() * group.steps();
  }

  long stagedBytes() {
    return (long) layout.stagedCells() * type.bytes();
  }

  /** Returns the cells of this batch if arrays of {@code arrayCells} cells in total were added. */
  long cellsWith(int arrays, long arrayCells) {
    return layout.stagedCells() + arrayCells + (long) arrays * (layout.left() + layout.right());
  }

  /**
   * Tells whether {@code stagedCells}, with arrays of up to {@code cells} cells, are no more than a
   * batch should have.
   */
  boolean holds(long stagedCells, int cells) {
    return stagedCells <= batchCells && cells <= seriesLength;
  }

  /** Makes room for {@code stagedCells} in a batch that is empty. */
  void reserve(long stagedCells) {
    if (stagedCells <= capacity) {
      return;
    }
    if (stagedCells > MAX_CELLS) {
      throw new BadDataException(
          "the arrays of one row make %d cells with their halos, more than the %d that can be staged at once; split the array or narrow the frame"
              .formatted(stagedCells, MAX_CELLS));
    }
    close();
    capacity = (int) stagedCells;
  }

  /** Adds one array, not empty, for which there is room. */
  void stage(ArrayCells array) {
    if (input == null) {
      lease();
    }
    int length = array.length();
    longest = Math.max(longest, length);
    boolean missing = boundary.leavesMissing();
    int piece = layout.add(length, missing ? layout.left() : 0, missing ? layout.right() : 0);
    int at = layout.start(piece);
    fill(array, at);
    if (array.hasNulls() || nullsComeUpBetweenSteps()) {
      if (!hasNulls) {
        hasNulls = true;
        for (int earlier = 0; earlier < piece; earlier++) {
          stageValidity(earlier, null);
        }
      }
      stageValidity(piece, expand(array));
    } else if (hasNulls) {
      stageValidity(piece, null);
    }
  }

  private void lease() {
    input = lane.lease(type, capacity, withValidity);
    for (int i = 0; i < stencils.size(); i++) {
      outputs.add(lane.lease(type, capacity, withValidity));
    }
    if (group.steps() > 1) {
      between = lane.lease(type, capacity, withValidity);
    }
  }

  private void fill(ArrayCells array, int at) {
    int length = array.length();
    int left = layout.left();
    transfer.stage(array, source, input, at + left);
    if (boundary.copiesCells()) {
      fillByRule(array, at, -left, left);
      fillByRule(array, at + left + length, length, layout.right());
    } else {
      double value = boundary.leavesMissing() ? 0 : boundary.constant();
      input.fill(at, left, value);
      input.fill(at + left + length, layout.right(), value);
    }
  }

  private void fillByRule(ArrayCells array, int at, int index, int count) {
    for (int done = 0; done < count; done += indices.length) {
      int part = Math.min(indices.length, count - done);
      for (int i = 0; i < part; i++) {
        indices[i] = (int) boundary.sourceIndex((long) index + done + i, array.length());
      }
      transfer.gather(array, source, indices, part, input, at + done);
    }
  }

  private byte[] expand(ArrayCells array) {
    if (!array.hasNulls()) {
      return null;
    }
    if (validity.length < array.length()) {
      validity = new byte[array.length()];
    }
    array.writeValidity(validity);
    return validity;
  }

  /** Writes the validity of a piece and its halos; {@code known} is null if no cell is null. */
  private void stageValidity(int piece, byte[] known) {
    int at = layout.start(piece);
    int left = layout.left();
    int length = layout.cells(piece);
    byte outside = (byte) (boundary.leavesMissing() ? 0 : 1);
    input.fillValidity(at, left, outside);
    input.fillValidity(at + left + length, layout.right(), outside);
    if (known == null) {
      input.fillValidity(at + left, length, (byte) 1);
      return;
    }
    input.writeValidity(at + left, known, 0, length);
    if (boundary.copiesCells()) {
      for (int i = -left; i < 0; i++) {
        byte value = known[(int) boundary.sourceIndex(i, length)];
        input.fillValidity(at + left + i, 1, value);
      }
      for (int i = length; i < length + layout.right(); i++) {
        byte value = known[(int) boundary.sourceIndex(i, length)];
        input.fillValidity(at + left + i, 1, value);
      }
    }
  }

  /** Starts the batch. */
  void submit() {
    if (layout.pieces() == 0) {
      return;
    }
    StagedBatch batch = new StagedBatch(layout, input, hasNulls);
    completion =
        group.steps() == 1
            ? lane.submit(batch, stencils, outputs)
            : lane.submitSteps(batch, stencils.get(0), outputs.get(0), between, group.steps());
  }

  /** Tells whether {@link #await} returns at once. */
  boolean isDone() {
    return completion == null || completion == Completion.DONE;
  }

  void await() {
    Completion pending = completion;
    completion = null; // a batch that fails has ended, too
    if (pending != null) {
      pending.await();
    }
  }

  /** Copies results {@code [from, from + count)} of a piece to {@code offset} on. */
  void copyResults(int output, int piece, int from, int count, Object target, long offset) {
    transfer.unstage(outputs.get(output), layout.start(piece) + from, count, target, offset);
  }

  /**
   * Returns 1 for each result of a piece and 0 for each null, valid until the next call, or null if
   * no result is null.
   */
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

  /** Forgets the arrays; keeps the memory. */
  void clear() {
    layout.clear();
    hasNulls = false;
  }

  /** Waits for the engine and returns the memory; the next array takes some again. */
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
