/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;

/**
 * The one bound of a frame that has no other: {@code UNBOUNDED PRECEDING AND 5 FOLLOWING}.
 *
 * @param toLast whether the frame goes to the last row of the series; else it begins with the first
 * @param byRows whether the bound is a number of rows; else it is one of keys
 * @param bound where the frame begins, or ends
 */
public record OpenBound(boolean toLast, boolean byRows, Expression bound) implements Serializable {

  /** Returns the bound of a window's frame, or null if it has two, none, or the current row. */
  public static OpenBound of(WindowExpression window) {
    if (window.windowFunction() instanceof FrameLessOffsetWindowFunction
        || !(window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame)) {
      return null;
    }
    boolean fromFirst = frame.lower() == UnboundedPreceding$.MODULE$;
    boolean toLast = frame.upper() == UnboundedFollowing$.MODULE$;
    Expression bound = toLast ? frame.lower() : frame.upper();
    return fromFirst == toLast || bound == CurrentRow$.MODULE$
        ? null
        : new OpenBound(toLast, frame.frameType() == RowFrame$.MODULE$, bound);
  }

  /** Returns the rows that the bound lies after the current one, or null if they are not given. */
  public Integer rows() {
    return byRows ? rows(bound) : null;
  }

  /** Returns the rows that a bound of a ROWS frame lies after the current one, or null. */
  public static Integer rows(Expression bound) {
    if (bound == CurrentRow$.MODULE$) {
      return 0;
    }
    return bound.foldable() && bound.eval(null) instanceof Integer rows ? rows : null;
  }
}
