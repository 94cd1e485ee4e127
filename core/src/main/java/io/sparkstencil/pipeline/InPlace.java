/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The inside of a long segment, where its array is as good as staged: what an engine that works on
 * the heap reads and writes where it is.
 *
 * <pre>
 *   the segment's array   | left | inside ............ | right |
 *   the array of results  | ends | inside ............ | ends  |    only the ends are staged
 * </pre>
 */
final class InPlace {
  private final Lane lane;
  private final List<CompiledStencil> stencils;
  private final StagingLayout layout;
  private final HeapCellBuffer input;
  private final List<CellBuffer> outputs = new ArrayList<>();
  private final ElementType type;
  private long cells;

  /** Creates it for halos of {@code left} and {@code right} cells. */
  InPlace(Lane lane, List<CompiledStencil> stencils, int left, int right) {
    this.lane = lane;
    this.stencils = stencils;
    this.layout = new StagingLayout(left, right);
    this.type = stencils.get(0).spec().type();
    this.input = HeapCellBuffer.window(type);
    stencils.forEach(stencil -> outputs.add(HeapCellBuffer.window(type)));
  }

  /**
   * Computes results {@code [from, from + rest)} of a segment, as far as their frames lie in it.
   *
   * @return how many; 0 if the first of them or all have to be staged
   */
  int run(Segment<?> segment, int from, int rest, Staging staging) {
    int count = inside(segment, from, rest);
    if (count == 0 || from < layout.left()) {
      return 0;
    }
    HeapCells heap = segment.source().onHeap();
    int first = heap.from() + from - layout.left();
    input.show(heap.array(), first, heap.from() + heap.cells() - first);
    int results = staging.results(segment.length());
    int at = from - staging.cutLeft();
    for (int k = 0; k < outputs.size(); k++) {
      ((HeapCellBuffer) outputs.get(k)).show(segment.result(k, type, results), at, results - at);
      if (segment.resultValidity(k) != null) {
        Arrays.fill(segment.resultValidity(k), at, at + count, (byte) 1);
      }
    }
    layout.clear();
    layout.add(count, 0, 0);
    lane.submit(new StagedBatch(layout, input, false), stencils, outputs).await();
    input.show(null, 0, 0);
    outputs.forEach(output -> ((HeapCellBuffer) output).show(null, 0, 0));
    cells += count;
    return count;
  }

  /**
   * Returns how many results from {@code from} on are to be staged before {@link #run} can go on.
   */
  int untilInside(Segment<?> segment, int from, int rest) {
    return from < layout.left() && inside(segment, from, rest) > 0 ? layout.left() - from : rest;
  }

  /** Returns how many of those results have their frames in the segment; 0 if too few. */
  private int inside(Segment<?> segment, int from, int rest) {
    int first = Math.max(from, layout.left());
    int until = Math.min(from + rest, segment.length() - layout.right());
    boolean enough = until - first >= Batch.MIN_PIECE_CELLS;
    HeapCells heap = enough ? segment.source().onHeap() : null;
    return heap != null && heap.validity() == null && lane.worksOnHeap() ? until - first : 0;
  }

  /** Returns the cells computed since {@link #clear}. */
  long cells() {
    return cells;
  }

  void clear() {
    cells = 0;
  }
}
