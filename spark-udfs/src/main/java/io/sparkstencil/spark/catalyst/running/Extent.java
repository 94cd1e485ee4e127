/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowFrame;

/** How far a frame that begins with the first row of the series extends. */
public enum Extent {
  /** To the current row. */
  ROWS,
  /** To the last row that ties with the current one. */
  TIES,
  /** To the last row of the series. */
  SERIES;

  /** Returns the extent of a frame, or null if it is another frame. */
  public static Extent of(WindowFrame frame) {
    if (!(frame instanceof SpecifiedWindowFrame bounds)
        || bounds.lower() != UnboundedPreceding$.MODULE$) {
      return null;
    } else if (bounds.upper() == UnboundedFollowing$.MODULE$) {
      return SERIES;
    } else if (bounds.upper() != CurrentRow$.MODULE$) {
      return null;
    }
    return bounds.frameType() == RowFrame$.MODULE$ ? ROWS : TIES;
  }
}
