/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import java.util.Arrays;

/**
 * Copies pieces of segments with their halos into a staging buffer. Positions are logical indices
 * of the segment: below 0 lies its left halo, from its length on its right halo.
 */
public final class StagingWriter {
  private static final byte[] NO_BYTES = new byte[0];

  private final ElementType type;
  private final Boundary boundary;
  private final StagingLayout layout;
  private Object edge; // cells of a halo that the boundary rule makes
  private byte[] edgeValidity = NO_BYTES;

  /** Creates a writer that appends to {@code layout}. */
  public StagingWriter(ElementType type, Boundary boundary, StagingLayout layout) {
    this.type = type;
    this.boundary = boundary;
    this.layout = layout;
    this.edge = type.newArray(Math.max(layout.left(), layout.right()));
  }

  /**
   * Appends {@code count} cells of {@code segment} from {@code from} on and writes their values.
   *
   * @return the index of the piece in the layout
   */
  public int stage(Segment<?> segment, int from, int count, CellBuffer target) {
    int first = from - layout.left();
    int end = from + count + layout.right();
    int missingLeft = Math.max(0, firstPresent(segment) - first);
    int missingRight = Math.max(0, end - endPresent(segment));
    int piece = layout.add(count, missingLeft, missingRight);
    int at = layout.start(piece);
    if (missingLeft > 0) {
      target.fill(at, missingLeft, 0);
    }
    if (missingRight > 0) {
      target.fill(at + end - first - missingRight, missingRight, 0);
    }
    int begin = first + missingLeft;
    int stop = end - missingRight;
    int bodyBegin = Math.max(begin, 0);
    int bodyStop = Math.min(stop, segment.length());
    writeLeft(segment, begin, Math.min(0, stop), at - first, target);
    if (bodyBegin < bodyStop) {
      target.write(
          at + bodyBegin - first,
          segment.cells(),
          segment.from() + bodyBegin,
          bodyStop - bodyBegin);
    }
    writeRight(segment, Math.max(begin, segment.length()), stop, at - first, target);
    return piece;
  }

  /** Writes the validity bytes of a piece that was staged from {@code from} on. */
  public void stageValidity(Segment<?> segment, int from, int piece, CellBuffer target) {
    int first = from - layout.left();
    int end = from + layout.cells(piece) + layout.right();
    int at = layout.start(piece);
    int begin = first + layout.missingLeft(piece);
    int stop = end - layout.missingRight(piece);
    target.fillValidity(at, end - first, (byte) 0);
    if (begin < stop) {
      target.fillValidity(at + begin - first, stop - begin, (byte) 1);
    }
    if (begin < 0) {
      int count = Math.min(0, stop) - begin;
      Halo halo = segment.left();
      if (halo == null) {
        writeRuleValidity(segment, begin, count, at - first, target);
      } else if (halo.validity() != null) {
        target.writeValidity(at + begin - first, halo.validity(), halo.length() + begin, count);
      }
    }
    int bodyBegin = Math.max(begin, 0);
    int bodyStop = Math.min(stop, segment.length());
    if (segment.validity() != null && bodyBegin < bodyStop) {
      target.writeValidity(
          at + bodyBegin - first,
          segment.validity(),
          segment.from() + bodyBegin,
          bodyStop - bodyBegin);
    }
    int rightBegin = Math.max(begin, segment.length());
    if (rightBegin < stop) {
      Halo halo = segment.right();
      if (halo == null) {
        writeRuleValidity(segment, rightBegin, stop - rightBegin, at - first, target);
      } else if (halo.validity() != null) {
        target.writeValidity(
            at + rightBegin - first,
            halo.validity(),
            rightBegin - segment.length(),
            stop - rightBegin);
      }
    }
  }

  private int firstPresent(Segment<?> segment) {
    Halo halo = segment.left();
    if (halo != null) {
      requireReach(halo, layout.left(), "left");
      return halo.missing() - halo.length();
    }
    return boundary.leavesMissing() ? 0 : -layout.left();
  }

  private int endPresent(Segment<?> segment) {
    Halo halo = segment.right();
    if (halo != null) {
      requireReach(halo, layout.right(), "right");
      return segment.length() + halo.length() - halo.missing();
    }
    return boundary.leavesMissing() ? segment.length() : segment.length() + layout.right();
  }

  private static void requireReach(Halo halo, int needed, String side) {
    if (halo.length() < needed) {
      throw new IllegalArgumentException(
          "the %s halo has %d cells, but the frame needs %d"
              .formatted(side, halo.length(), needed));
    }
  }

  private void writeLeft(Segment<?> segment, int begin, int stop, int shift, CellBuffer target) {
    if (begin >= stop) {
      return;
    }
    Halo halo = segment.left();
    if (halo == null) {
      writeRule(segment, begin, stop - begin, shift, target);
    } else {
      target.write(shift + begin, halo.cells(), halo.length() + begin, stop - begin);
    }
  }

  private void writeRight(Segment<?> segment, int begin, int stop, int shift, CellBuffer target) {
    if (begin >= stop) {
      return;
    }
    Halo halo = segment.right();
    if (halo == null) {
      writeRule(segment, begin, stop - begin, shift, target);
    } else {
      target.write(shift + begin, halo.cells(), begin - segment.length(), stop - begin);
    }
  }

  /** Fills positions outside the series by the boundary rule, from the segment's own cells. */
  private void writeRule(Segment<?> segment, int begin, int count, int shift, CellBuffer target) {
    if (!boundary.copiesCells()) {
      target.fill(shift + begin, count, boundary.constant());
      return;
    }
    for (int i = 0; i < count; i++) {
      int source = (int) boundary.sourceIndex((long) begin + i, segment.length());
      System.arraycopy(segment.cells(), segment.from() + source, edge, i, 1);
    }
    target.write(shift + begin, edge, 0, count);
  }

  private void writeRuleValidity(
      Segment<?> segment, int begin, int count, int shift, CellBuffer target) {
    if (segment.validity() == null || !boundary.copiesCells()) {
      return; // already 1
    }
    if (edgeValidity.length < count) {
      edgeValidity = Arrays.copyOf(edgeValidity, Math.max(layout.left(), layout.right()));
    }
    for (int i = 0; i < count; i++) {
      int source = (int) boundary.sourceIndex((long) begin + i, segment.length());
      edgeValidity[i] = segment.validity()[segment.from() + source];
    }
    target.writeValidity(shift + begin, edgeValidity, 0, count);
  }
}
