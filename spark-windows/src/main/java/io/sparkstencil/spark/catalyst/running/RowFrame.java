/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.model.Frame;
import io.sparkstencil.spark.catalyst.frames.OpenBound;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.WindowFrame;

/**
 * A frame of SQL between two rows.
 *
 * @param lower offset of its first row; negative before the current one
 * @param upper offset of its last row
 */
public record RowFrame(long lower, long upper) {
  /** Returns the frame, or null if it is not one between two given rows. */
  public static RowFrame of(WindowFrame frame) {
    if (!(frame instanceof SpecifiedWindowFrame rows) || rows.frameType() != RowFrame$.MODULE$) {
      return null;
    }
    Long lower = offset(rows.lower());
    Long upper = offset(rows.upper());
    return lower == null || upper == null || lower > upper ? null : new RowFrame(lower, upper);
  }

  /** Tells whether a frame has no rows, as it would end before it begins. */
  static boolean isCrossed(WindowFrame frame) {
    if (!(frame instanceof SpecifiedWindowFrame rows) || rows.frameType() != RowFrame$.MODULE$) {
      return false;
    }
    Long lower = offset(rows.lower());
    Long upper = offset(rows.upper());
    return lower != null && upper != null && lower > upper;
  }

  /** Returns the one row that {@code lag} or {@code lead} takes, or null if it is not given. */
  public static RowFrame of(FrameLessOffsetWindowFunction neighbour) {
    Long offset = offset(neighbour.offset());
    return offset == null ? null : new RowFrame(offset, offset);
  }

  private static Long offset(Expression bound) {
    Integer rows = OpenBound.rows(bound);
    return rows == null ? null : (long) rows;
  }

  /** Returns the rows that the frame reaches over to one side, at most. */
  public long reach() {
    return Math.max(Math.abs(lower), Math.abs(upper));
  }

  /** Returns the number of rows in a whole frame. */
  public long width() {
    return upper - lower + 1;
  }

  /** Returns the stencil's frame, which must not reach too far for one. */
  public Frame toFrame() {
    return Frame.offsets(Math.toIntExact(lower), Math.toIntExact(upper));
  }
}
