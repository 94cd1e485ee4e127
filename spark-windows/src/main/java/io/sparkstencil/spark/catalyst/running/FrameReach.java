/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.frames.RangeBound;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.RangeFrame$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.WindowFrame;
import scala.collection.immutable.Seq;

/**
 * How far the frame of a window reaches: by rows, or by keys.
 *
 * @param before rows before the current one
 * @param after rows after it
 * @param lower where a frame begins that reaches by keys; null if it reaches by rows, or has rows
 *     that tie alone
 * @param upper where it ends
 */
public record FrameReach(long before, long after, RangeBound lower, RangeBound upper) {
  private static final FrameReach NONE = new FrameReach(0, 0, null, null);

  /** Returns the reach of a window's frame, or null if it has no bounds that are known. */
  public static FrameReach of(WindowExpression window, ZoneId zone) {
    if (window.windowFunction() instanceof FrameLessOffsetWindowFunction neighbour) {
      return neighbour.ignoreNulls() ? ofValues(neighbour) : ofRows(RowFrame.of(neighbour));
    }
    OpenBound open = OpenBound.of(window);
    if (open != null) {
      return open.byRows()
          ? ofRows(open.rows() == null ? null : new RowFrame(open.rows(), open.rows()))
          : ofKeys(open.bound(), open.bound(), window.windowSpec().orderSpec(), zone);
    }
    WindowFrame frame = window.windowSpec().frameSpecification();
    return frame instanceof SpecifiedWindowFrame range && range.frameType() == RangeFrame$.MODULE$
        ? ofKeys(range.lower(), range.upper(), window.windowSpec().orderSpec(), zone)
        : RowFrame.isCrossed(frame) ? NONE : ofRows(RowFrame.of(frame));
  }

  private static FrameReach ofRows(RowFrame frame) {
    return frame == null
        ? null
        : new FrameReach(Math.max(0, -frame.lower()), Math.max(0, frame.upper()), null, null);
  }

  /** Functions that ignore nulls reach over rows whose number is not known, to so many values. */
  private static FrameReach ofValues(FrameLessOffsetWindowFunction neighbour) {
    return RowFrame.of(neighbour) == null ? null : NONE;
  }

  private static FrameReach ofKeys(
      Expression from, Expression to, Seq<SortOrder> order, ZoneId zone) {
    if (from == CurrentRow$.MODULE$ && to == CurrentRow$.MODULE$) {
      return NONE; // rows that tie lie in one range
    }
    List<SortOrder> columns = ScalaInterop.list(order);
    if (columns.size() != 1 || !(columns.get(0).child() instanceof Attribute)) {
      return null;
    }
    RangeBound lower = RangeBound.of(columns.get(0), from, zone);
    RangeBound upper = RangeBound.of(columns.get(0), to, zone);
    return lower == null || upper == null ? null : new FrameReach(0, 0, lower, upper);
  }

  boolean isOfKeys() {
    return lower != null;
  }
}
