/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.CellSource;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;

/**
 * Writes the cells that stand at consecutive positions of a series, also where that is outside of
 * what is at hand. Position 0 is the first cell of a segment. Every position is resolved here and
 * nowhere else, as part of a run:
 *
 * <pre>
 *   position     ... -2 -1 | 0 1 2 ... n-1 | n n+1 ...
 *   a neighbour    its halo |               | its halo        copied; 0 where a halo is missing
 *   a series' end  the rule | the segment   | the rule        0, a constant, or the segment's cells
 * </pre>
 *
 * <p>Cells that a rule takes from the segment are copied as a range where they follow each other,
 * and gathered one by one where they do not. Validity takes the same way. Used by one thread.
 */
public final class StagingWriter {
  private static final int BLOCK_CELLS = 512;

  private final Boundary boundary;
  private final long[] indices = new long[BLOCK_CELLS];
  private final Object gathered;
  private final byte[] gatheredValidity = new byte[BLOCK_CELLS];

  /** Creates a writer for series that go on by {@code boundary} where they have no neighbour. */
  public StagingWriter(ElementType type, Boundary boundary) {
    this.boundary = boundary;
    this.gathered = type.newArray(BLOCK_CELLS);
  }

  /**
   * Appends {@code count} cells of {@code segment} from {@code from} on to a layout, and writes
   * them with their halos.
   *
   * @param withValidity whether validity bytes are written, too
   * @return the index of the piece in the layout
   */
  public int stage(
      Segment<?> segment,
      int from,
      int count,
      StagingLayout layout,
      CellBuffer target,
      boolean withValidity) {
    requireReach(segment.left(), layout.left(), "left");
    requireReach(segment.right(), layout.right(), "right");
    int first = from - layout.left();
    int end = from + count + layout.right();
    int piece =
        layout.add(
            count,
            Math.max(0, firstPresent(segment, layout) - first),
            Math.max(0, end - endPresent(segment, layout)));
    write(
        segment.source(),
        segment.left(),
        segment.right(),
        first,
        end - first,
        target,
        layout.start(piece),
        withValidity);
    return piece;
  }

  private static void requireReach(Halo halo, int needed, String side) {
    if (halo != null && halo.length() < needed) {
      throw new IllegalArgumentException(
          "the %s halo has %d cells, but the frame needs %d"
              .formatted(side, halo.length(), needed));
    }
  }

  private int firstPresent(Segment<?> segment, StagingLayout layout) {
    Halo halo = segment.left();
    if (halo != null) {
      return halo.missing() - halo.length();
    }
    return boundary.leavesMissing() ? 0 : -layout.left();
  }

  private int endPresent(Segment<?> segment, StagingLayout layout) {
    Halo halo = segment.right();
    if (halo != null) {
      return segment.length() + halo.length() - halo.missing();
    }
    return segment.length() + (boundary.leavesMissing() ? 0 : layout.right());
  }

  /**
   * Writes the validity of a piece none of whose cells is null, for a batch in which others are.
   */
  public static void stageValid(StagingLayout layout, int piece, CellBuffer target) {
    int at = layout.start(piece);
    int cells = layout.left() + layout.cells(piece) + layout.right();
    int present = cells - layout.missingLeft(piece) - layout.missingRight(piece);
    target.fillValidity(at, cells, (byte) 0);
    if (present > 0) {
      target.fillValidity(at + layout.missingLeft(piece), present, (byte) 1);
    }
  }

  /**
   * Writes the cells at positions {@code [first, first + count)} to cell {@code at} of {@code
   * target} on.
   *
   * @param cells the segment
   * @param left what lies before it, reaching as far as {@code first}; null if the series starts
   * @param right what lies after it, likewise; null if the series ends
   * @param withValidity whether validity bytes are written, too: 0 for nulls and missing cells
   */
  public void write(
      CellSource cells,
      Halo left,
      Halo right,
      long first,
      int count,
      CellBuffer target,
      int at,
      boolean withValidity) {
    long length = cells.length();
    int before = (int) Math.max(0, Math.min(count, -first));
    int after = (int) Math.max(0, Math.min(count, first + count - length));
    int inside = count - before - after;
    if (before > 0) {
      if (left == null) {
        writeRule(cells, first, before, target, at, withValidity);
      } else {
        writeHalo(
            left, left.length() + (int) first, before, 0, left.missing(), target, at, withValidity);
      }
    }
    if (inside > 0) {
      copy(cells, Math.max(0, first), inside, target, at + before, withValidity);
    }
    if (after > 0) {
      long from = first + count - after;
      int to = at + count - after;
      if (right == null) {
        writeRule(cells, from, after, target, to, withValidity);
      } else {
        int present = right.length() - right.missing();
        int index = (int) (from - length);
        writeHalo(right, index, after, present, right.length(), target, to, withValidity);
      }
    }
  }

  /** Writes cells of a halo, of which those in {@code [noneFrom, noneUntil)} are missing. */
  private static void writeHalo(
      Halo halo,
      int from,
      int count,
      int noneFrom,
      int noneUntil,
      CellBuffer target,
      int at,
      boolean withValidity) {
    int until = from + count;
    int noneHere = Math.max(from, Math.min(until, noneFrom));
    int noneEnd = Math.max(noneHere, Math.min(until, noneUntil));
    HeapCells cells = halo.source();
    copy(cells, from, noneHere - from, target, at, withValidity);
    fill(0, noneEnd - noneHere, (byte) 0, target, at + noneHere - from, withValidity);
    copy(cells, noneEnd, until - noneEnd, target, at + noneEnd - from, withValidity);
  }

  /** Writes cells outside the series as the boundary rule makes them of the segment's. */
  private void writeRule(
      CellSource cells, long first, int count, CellBuffer target, int at, boolean withValidity) {
    if (!boundary.copiesCells() || cells.length() == 0) {
      boolean missing = boundary.leavesMissing();
      double value = missing ? 0 : boundary.constant();
      fill(value, count, (byte) (missing ? 0 : 1), target, at, withValidity);
      return;
    }
    for (int done = 0; done < count; done += BLOCK_CELLS) {
      int block = Math.min(BLOCK_CELLS, count - done);
      for (int i = 0; i < block; i++) {
        indices[i] = boundary.sourceIndex(first + done + i, cells.length());
      }
      // Neighbours' sources are at most one apart, unless the series begins again.
      if (indices[block - 1] - indices[0] == block - 1) {
        copy(cells, indices[0], block, target, at + done, withValidity);
      } else {
        gather(cells, block, target, at + done, withValidity);
      }
    }
  }

  private void gather(
      CellSource cells, int count, CellBuffer target, int at, boolean withValidity) {
    cells.gather(indices, count, gathered);
    target.write(at, gathered, 0, count);
    if (!withValidity) {
      return;
    }
    if (cells.hasNulls()) {
      cells.gatherValidity(indices, count, gatheredValidity);
      target.writeValidity(at, gatheredValidity, 0, count);
    } else {
      target.fillValidity(at, count, (byte) 1);
    }
  }

  private static void copy(
      CellSource cells, long from, int count, CellBuffer target, int at, boolean withValidity) {
    if (count == 0) {
      return;
    }
    cells.copy(from, count, target, at);
    if (!withValidity) {
      return;
    }
    if (cells.hasNulls()) {
      cells.copyValidity(from, count, target, at);
    } else {
      target.fillValidity(at, count, (byte) 1);
    }
  }

  private static void fill(
      double value, int count, byte valid, CellBuffer target, int at, boolean withValidity) {
    if (count == 0) {
      return;
    }
    target.fill(at, count, value);
    if (withValidity) {
      target.fillValidity(at, count, valid);
    }
  }
}
