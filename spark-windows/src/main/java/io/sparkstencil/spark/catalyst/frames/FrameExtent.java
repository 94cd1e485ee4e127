/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;

/** How far a frame extends that begins or ends with the series. */
public enum FrameExtent {
  /** From the first row of the series to the current one. */
  ROWS,
  /** From the first row of the series to the last that ties with the current one. */
  TIES,
  /** All rows of the series. */
  SERIES,
  /** From the current row to the last of the series. */
  REST,
  /** From the first row that ties with the current one to the last of the series. */
  REST_OF_TIES;

  /** Returns the extent of a window's frame, or null if it is another frame. */
  public static FrameExtent of(WindowExpression window) {
    if (!(window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame)) {
      return null;
    }
    boolean rows = frame.frameType() == RowFrame$.MODULE$;
    boolean fromFirst = frame.lower() == UnboundedPreceding$.MODULE$;
    boolean toLast = frame.upper() == UnboundedFollowing$.MODULE$;
    if (fromFirst && toLast) {
      return SERIES;
    } else if (fromFirst && frame.upper() == CurrentRow$.MODULE$) {
      return rows ? ROWS : TIES;
    } else if (toLast && frame.lower() == CurrentRow$.MODULE$) {
      return rows ? REST : REST_OF_TIES;
    }
    return null;
  }

  /** Tells whether frames begin anew with each row, or with each that does not tie. */
  public boolean isRest() {
    return this == REST || this == REST_OF_TIES;
  }
}
