/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cpu.passes.CellPasses;
import io.sparkstencil.cpu.passes.FrameCounts;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;

/**
 * One stencil over one batch, as flat passes over chunks of output positions.
 *
 * <p>Pieces with narrow halos are processed together; the values written at positions between them
 * are meaningless. Passes know neither nulls nor edges. If a chunk has nulls, or if an extremum has
 * missing cells, the pass reads a copy in which these are replaced by the identity of the
 * reduction. A sum needs this only for nulls: missing cells are staged as 0, and since no result of
 * a sum is -0.0, adding 0.0 on the way changes no bit. Afterwards {@link FrameCounts} gives the
 * number of cells that counted. Outputs are written only within the staged positions.
 */
final class BatchRun {
  private static final int CHUNK_CELLS = 1 << 15;

  /** Wider frames are cut to the cells that are present, which needs small chunks. */
  private static final int WIDE_FRAME_CELLS = 4096;

  private static final int WIDE_FRAME_CHUNK_CELLS = 2048;

  /** What takes a tenth of a second where frames slide: between chunks work can end. */
  private static final int MOST_CHUNK_CELLS = 1 << 26;

  /** The additions after which it is asked whether they are wanted. */
  private static final int MOST_ADDITIONS = 1 << 22;

  /** Sums of more cells take so long that it is asked between taps, too. */
  private static final int VERY_WIDE_FRAME_CELLS = 1 << 15;

  /** Gaps of at most this many positions between pieces are cheaper to process than to skip. */
  private static final int MERGED_GAP_CELLS = 64;

  private final ElementType type;
  private final CellPasses passes;
  private final FrameCounts counts = new FrameCounts();
  private HeapCellBuffer inputCopy;
  private HeapCellBuffer outputCopy;

  private StencilSpec spec;
  private CpuStencil stencil;
  private StagingLayout layout;
  private HeapCellBuffer input;
  private byte[] inputValidity; // null if no cell is null
  private HeapCellBuffer output;
  private int outputEnd; // positions that can be written

  BatchRun(ElementType type, CellPasses passes) {
    this.type = type;
    this.passes = passes;
    this.inputCopy = new HeapCellBuffer(type, 0, false);
    this.outputCopy = inputCopy;
  }

  void run(StagedBatch batch, CpuStencil compiled, HeapCellBuffer target) {
    stencil = compiled;
    spec = compiled.spec();
    layout = batch.layout();
    input = (HeapCellBuffer) batch.cells();
    inputValidity = batch.hasNulls() ? input.validity() : null;
    output = target;
    outputEnd = Math.min(layout.stagedCells(), target.capacity());
    boolean merge = layout.left() + layout.right() <= MERGED_GAP_CELLS;
    int first = 0;
    while (first < layout.pieces()) {
      int last = merge ? layout.pieces() - 1 : first;
      runPieces(first, last);
      first = last + 1;
    }
    input = null;
    output = null;
    inputValidity = null;
  }

  private void runPieces(int firstPiece, int lastPiece) {
    int end = layout.start(lastPiece) + layout.cells(lastPiece);
    int chunkCells = chunkCells();
    int first = firstPiece;
    for (int from = layout.start(firstPiece), to; from < end; from = to) {
      to = chunkEnd(from, from + Math.min(chunkCells, end - from));
      while (first < lastPiece && layout.start(first) + layout.cells(first) <= from) {
        first++;
      }
      int last = first;
      while (last < lastPiece && layout.start(last + 1) < to) {
        last++;
      }
      runChunk(from, to, first, last);
    }
  }

  /**
   * Returns where a chunk ends: at {@code to}, or, where passes would read or write behind an array
   * and so need copies, some cells before that, if these are few.
   */
  private int chunkEnd(int from, int to) {
    int readable = input.capacity() - inputFrom(0) - (spec.frame().width() - 1) - CellPasses.SLACK;
    int whole = Math.min(readable, outputEnd) - from;
    int padded = (to - from + CellPasses.GROUP - 1) / CellPasses.GROUP * CellPasses.GROUP;
    int direct = whole / CellPasses.GROUP * CellPasses.GROUP;
    return whole >= padded || 2 * direct < to - from ? to : from + direct;
  }

  private int chunkCells() {
    int width = spec.frame().width();
    if (stencil.sliding()) {
      // The work at the start of a chunk costs as much as one frame.
      return (int) Math.max(CHUNK_CELLS, Math.min(8L * width, MOST_CHUNK_CELLS));
    }
    return width > WIDE_FRAME_CELLS ? WIDE_FRAME_CHUNK_CELLS : CHUNK_CELLS;
  }

  private void runChunk(int from, int to, int firstPiece, int lastPiece) {
    Cancellation.ask();
    boolean nulls = inputValidity != null;
    boolean clipped =
        spec.boundary().mode() == Boundary.Mode.SHRINK
            && touchesClipped(from, to, firstPiece, lastPiece);
    if (spec.reduction() == Reduction.COUNT) {
      output.fill(from, to - from, spec.frame().width());
    } else {
      runPass(from, to, firstPiece, lastPiece, clipped);
    }
    if (nulls) {
      counts.begin(to - from);
      counts.addNulls(inputValidity, inputFrom(from), spec.frame().width(), to - from);
      counts.finish(passes, spec.reduction(), output.array(), from, to - from);
      counts.writeValidity(layout, spec, from, to, firstPiece, lastPiece, output.validity());
    } else if (clipped) {
      for (int piece = firstPiece; piece <= lastPiece; piece++) {
        finishClipped(piece, from, to);
      }
    }
  }

  private boolean touchesClipped(int from, int to, int firstPiece, int lastPiece) {
    for (int piece = firstPiece; piece <= lastPiece; piece++) {
      int start = layout.start(piece);
      int clippedLeft = layout.clippedLeft(piece, spec);
      int clippedRight = layout.clippedRight(piece, spec);
      if ((clippedLeft > 0 && start + clippedLeft > from)
          || (clippedRight > 0 && start + layout.cells(piece) - clippedRight < to)) {
        return true;
      }
    }
    return false;
  }

  private int inputFrom(int from) {
    return from + layout.left() - spec.frame().preceding();
  }

  private void runPass(int from, int to, int firstPiece, int lastPiece, boolean clipped) {
    int n = to - from;
    int padded = (n + CellPasses.GROUP - 1) / CellPasses.GROUP * CellPasses.GROUP;
    int width = spec.frame().width();
    int span = n + width - 1;
    int readable = padded + width - 1 + CellPasses.SLACK;
    int at = inputFrom(from);
    HeapCellBuffer x = input;
    int xFrom = input.first() + at;
    boolean replaced = inputValidity != null || (clipped && spec.reduction().chooses());
    if (replaced || at > input.capacity() - readable) {
      inputCopy = reserved(inputCopy, readable);
      x = inputCopy;
      xFrom = 0;
      if (inputValidity == null) {
        input.read(at, x.array(), 0, span);
      } else {
        passes.select(
            input.array(), at, inputValidity, spec.reduction().identity(type), x.array(), span);
      }
      if (inputValidity == null && replaced) {
        replaceMissing(at, span, firstPiece, lastPiece);
      }
    }
    boolean direct = padded <= outputEnd - from;
    if (!direct) {
      outputCopy = reserved(outputCopy, padded);
    }
    HeapCellBuffer y = direct ? output : outputCopy;
    boolean divide = inputValidity == null && !clipped && spec.reduction() == Reduction.MEAN;
    int piece = firstPiece == lastPiece ? firstPiece : -1;
    apply(
        x.array(),
        xFrom,
        divide ? width : 1,
        y.array(),
        direct ? output.first() + from : 0,
        padded,
        piece,
        at);
    if (!direct) {
      output.write(from, outputCopy.array(), 0, n);
    }
  }

  /**
   * Runs the pass. {@code piece} is the chunk's only piece or -1, {@code at} its first staged cell.
   */
  private void apply(Object x, int from, int divisor, Object y, int yAt, int n, int piece, int at) {
    int width = spec.frame().width();
    if (width == 1 && spec.reduction().chooses()) { // what lag and lead are
      System.arraycopy(x, from, y, yAt, n);
      return;
    }
    switch (spec.reduction()) {
      case MIN -> passes.slidingExtremum(x, from, width, false, y, yAt, n);
      case MAX -> passes.slidingExtremum(x, from, width, true, y, yAt, n);
      default -> {
        if (stencil.sliding()) {
          passes.slidingSum(x, from, width, divisor, y, yAt, n);
          return;
        }
        int firstTap = piece < 0 ? 0 : firstTap(piece, at, n);
        int taps = Math.max(0, (piece < 0 ? width : endTap(piece, at)) - firstTap);
        sum(x, from + firstTap, firstTap, taps, divisor, y, yAt, n);
      }
    }
  }

  /** Adds taps one after the other: some outputs at a time, after which work can end. */
  private void sum(
      Object x, int from, int firstTap, int taps, int divisor, Object y, int yAt, int n) {
    Object weights = spec.reduction() == Reduction.WEIGHTED_SUM ? stencil.weights() : null;
    if (taps > VERY_WIDE_FRAME_CELLS) { // work can end between taps, too
      passes.sum(x, from, 0, 1, y, yAt, n); // nothing yet
      passes.addTo(y, yAt, n, x, from, taps, weights, firstTap);
      if (divisor != 1) {
        passes.divide(y, yAt, n, divisor);
      }
      return;
    }
    int part = Math.max(1, MOST_ADDITIONS / CellPasses.GROUP / Math.max(1, taps));
    part *= CellPasses.GROUP;
    for (int i = 0; i < n; i += part) {
      if (i > 0) {
        Cancellation.ask();
      }
      int outputs = Math.min(part, n - i);
      if (weights != null) {
        passes.weightedSum(x, from + i, weights, firstTap, taps, y, yAt + i, outputs);
      } else {
        passes.sum(x, from + i, taps, divisor, y, yAt + i, outputs);
      }
    }
  }

  /** Taps before this one are missing for all {@code n} outputs, so they would only add 0. */
  private int firstTap(int piece, int at, int n) {
    int firstPresent = layout.start(piece) + layout.missingLeft(piece);
    return Math.max(0, firstPresent - at - (n - 1));
  }

  private int endTap(int piece, int at) {
    int stagedCells = layout.left() + layout.cells(piece) + layout.right();
    int endPresent = layout.start(piece) + stagedCells - layout.missingRight(piece);
    return Math.min(spec.frame().width(), endPresent - at);
  }

  private void replaceMissing(int at, int span, int firstPiece, int lastPiece) {
    for (int piece = firstPiece; piece <= lastPiece; piece++) {
      int start = layout.start(piece) - at;
      int end = start + layout.left() + layout.cells(piece) + layout.right();
      fillCopy(start, start + layout.missingLeft(piece), span);
      fillCopy(end - layout.missingRight(piece), end, span);
    }
  }

  private void fillCopy(int from, int to, int span) {
    int first = Math.max(0, from);
    int count = Math.min(span, to) - first;
    if (count > 0) {
      inputCopy.fill(first, count, spec.reduction().identity(type));
    }
  }

  /** Corrects the outputs of a piece without nulls whose frames are cut at an edge. */
  private void finishClipped(int piece, int from, int to) {
    int start = layout.start(piece);
    int end = start + layout.cells(piece);
    int wholeFrom = start + layout.clippedLeft(piece, spec);
    int wholeTo = Math.max(wholeFrom, end - layout.clippedRight(piece, spec));
    finishCounted(piece, Math.max(start, from), Math.min(wholeFrom, to));
    finishCounted(piece, Math.max(wholeTo, from), Math.min(end, to));
    int whole = Math.max(wholeFrom, from);
    int count = Math.min(wholeTo, to) - whole;
    if (spec.reduction() == Reduction.MEAN && count > 0) {
      passes.divide(output.array(), whole, count, spec.frame().width());
    }
  }

  private void finishCounted(int piece, int from, int to) {
    if (from < to) {
      counts.ofEdges(layout, spec, piece, from, to);
      counts.finish(passes, spec.reduction(), output.array(), from, to - from);
    }
  }

  private HeapCellBuffer reserved(HeapCellBuffer copy, int cells) {
    return copy.capacity() < cells ? new HeapCellBuffer(type, cells, false) : copy;
  }
}
