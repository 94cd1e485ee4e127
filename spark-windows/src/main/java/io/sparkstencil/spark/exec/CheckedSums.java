/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;

/**
 * Finds the sums of I64 cells that overflow, which engines do not see: their sums wrap.
 *
 * <p>Where the largest cell times the width of the frame fits a long, no sum can overflow, and one
 * look at each cell has shown it. Otherwise every frame is added again, cell by cell.
 */
public final class CheckedSums {
  private CheckedSums() {}

  /**
   * Tells which sums leave the range of a long on the way from the first cell to the last.
   *
   * @param segment I64 cells with their halos
   * @param sum the stencil
   * @param from the first output to look at
   * @param count outputs to look at
   * @return shape {@code [count]}, or null if none does
   */
  public static boolean[] overflows(Segment<?> segment, StencilSpec sum, int from, int count) {
    StencilSpec spec = asFarAsStaged(sum, segment);
    if (count <= 0 || cannotOverflow(segment, spec)) {
      return null;
    }
    StagingLayout layout = new StagingLayout(spec.frame().left(), spec.frame().right());
    HeapCellBuffer staged =
        new HeapCellBuffer(
            ElementType.I64,
            Math.addExact(layout.left() + layout.right(), count),
            segment.hasNulls());
    new StagingWriter(ElementType.I64, spec.boundary())
        .stage(segment, from, count, layout, staged, segment.hasNulls());
    return replay((long[]) staged.array(), staged.validity(), layout.left(), spec, count);
  }

  /** Returns the stencil with its frame cut as it was for a series that is shorter than that. */
  private static StencilSpec asFarAsStaged(StencilSpec sum, Segment<?> segment) {
    Halo left = segment.left();
    Halo right = segment.right();
    if (left == null && right == null) {
      return sum.withinSeriesOf(segment.length());
    }
    boolean cut =
        (left != null && left.length() < sum.frame().left())
            || (right != null && right.length() < sum.frame().right());
    int reach = Math.max(left == null ? 0 : left.length(), right == null ? 0 : right.length());
    return cut ? sum.withinSeriesOf(reach) : sum;
  }

  private static boolean cannotOverflow(Segment<?> segment, StencilSpec spec) {
    long largest = Long.MAX_VALUE / spec.frame().width();
    return isWithin(segment.source().onHeap(), largest)
        && isWithin(segment.left(), largest)
        && isWithin(segment.right(), largest)
        && (spec.boundary().mode() != Boundary.Mode.CONSTANT
            || Math.abs(spec.boundary().constant()) < largest);
  }

  private static boolean isWithin(Halo halo, long largest) {
    return halo == null || isWithin(halo.source(), largest);
  }

  private static boolean isWithin(HeapCells heap, long largest) {
    long[] cells = (long[]) heap.array();
    long low = 0;
    long high = 0;
    for (int i = heap.from(); i < heap.from() + heap.cells(); i++) {
      low = Math.min(low, cells[i]);
      high = Math.max(high, cells[i]);
    }
    return high <= largest && low >= -largest;
  }

  /** Missing cells are staged as 0, which adds nothing. */
  private static boolean[] replay(
      long[] cells, byte[] validity, int left, StencilSpec spec, int count) {
    boolean[] overflows = null;
    int width = spec.frame().width();
    for (int i = 0; i < count; i++) {
      int first = left + i - spec.frame().preceding();
      if (leavesRange(cells, validity, first, width)) {
        overflows = overflows == null ? new boolean[count] : overflows;
        overflows[i] = true;
      }
    }
    return overflows;
  }

  private static boolean leavesRange(long[] cells, byte[] validity, int first, int width) {
    long sum = 0;
    for (int i = first; i < first + width; i++) {
      if (validity == null || validity[i] != 0) {
        long next = sum + cells[i];
        if (((sum ^ next) & (cells[i] ^ next)) < 0) {
          return true;
        }
        sum = next;
      }
    }
    return false;
  }
}
