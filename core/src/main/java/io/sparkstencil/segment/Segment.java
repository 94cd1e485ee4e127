/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.segment;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.cells.CellSource;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;

/**
 * A run of consecutive cells of one series, with what lies beside it and room for the results. The
 * unit of work that callers hand to the pipeline; the pipeline fills the results and hands it back.
 *
 * <p>A halo of null says that the series ends there, so that the boundary rule decides. A segment
 * that is only a part of its series may leave a halo null only at a true end of the series, and,
 * for rules that copy cells ({@link Boundary#copiesCells()}), only if the cells that the rule needs
 * are in this segment.
 *
 * @param <A> what the caller wants back with the results: rows, a key, nothing
 */
public final class Segment<A> {
  private final A attachment;
  private final CellSource source;
  private final Halo left;
  private final Halo right;
  private final Object[] results;
  private byte[][] resultValidity; // null as long as no result is null

  /**
   * Creates a segment over a part of an array, which is borrowed until the segment comes back.
   *
   * @param attachment what the caller wants back; may be null
   * @param cells primitive array that holds the cells
   * @param validity 1 for a cell, 0 for null, same indices as {@code cells}; null if none is null
   * @param from index of the first cell
   * @param length number of cells
   * @param left cells before the first, or null at the start of the series; at least as many as the
   *     widest frame needs, the nearest last
   * @param right cells after the last, or null at the end of the series
   * @param results number of stencils of the pipeline that this segment goes through
   */
  public Segment(
      A attachment,
      Object cells,
      byte[] validity,
      int from,
      int length,
      Halo left,
      Halo right,
      int results) {
    this(attachment, new HeapCells(cells, validity, from, length), left, right, results);
  }

  /**
   * Creates a segment over cells that lie anywhere.
   *
   * @param attachment what the caller wants back; may be null
   * @param source the cells, borrowed until they have been staged
   * @param left as above
   * @param right as above
   * @param results number of stencils whose results the segment keeps in arrays; 0 if they are read
   *     out of the engine's memory instead
   */
  public Segment(A attachment, CellSource source, Halo left, Halo right, int results) {
    this.attachment = attachment;
    this.source = requireNonNull(source, "source is null");
    this.left = left;
    this.right = right;
    this.results = new Object[results];
  }

  /** Returns a segment that is a whole series of its own, without nulls. */
  public static <A> Segment<A> series(A attachment, Object cells, int results) {
    return new Segment<>(attachment, cells, null, 0, Array.getLength(cells), null, null, results);
  }

  /** Returns what the caller attached. */
  public A attachment() {
    return attachment;
  }

  /** Returns where the cells lie. */
  public CellSource source() {
    return source;
  }

  /** Returns the number of cells. */
  public int length() {
    return (int) source.length();
  }

  /** Returns the cells before the first, or null at the start of the series. */
  public Halo left() {
    return left;
  }

  /** Returns the cells after the last, or null at the end of the series. */
  public Halo right() {
    return right;
  }

  /** Returns the number of stencils, which is the number of results. */
  public int resultCount() {
    return results.length;
  }

  /** Tells whether any staged cell may be null (missing cells apart). */
  public boolean hasNulls() {
    return source.hasNulls()
        || (left != null && left.validity() != null)
        || (right != null && right.validity() != null);
  }

  /**
   * Returns the results of stencil {@code index}: a primitive array of the element type; shape
   * {@code [length]}, or fewer where the pipeline leaves some out. Allocated on first use.
   */
  public Object result(int index, ElementType type) {
    return result(index, type, length());
  }

  /** Returns the results of stencil {@code index}, of which there are {@code count}. */
  public Object result(int index, ElementType type, int count) {
    if (results[index] == null) {
      results[index] = type.newArray(count);
    }
    return results[index];
  }

  /** Returns 1 for each result and 0 for each null of stencil {@code index}, or null if none is. */
  public byte[] resultValidity(int index) {
    return resultValidity == null ? null : resultValidity[index];
  }

  /** Sets the validity of the results of stencil {@code index}. */
  public void setResultValidity(int index, byte[] newValidity) {
    if (resultValidity == null) {
      resultValidity = new byte[results.length][];
    }
    resultValidity[index] = newValidity;
  }
}
