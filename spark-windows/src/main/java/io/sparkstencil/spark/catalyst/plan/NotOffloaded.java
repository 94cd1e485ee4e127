/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.error.ShownText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;

/** Says once for each window that stays with Spark why it does. */
final class NotOffloaded {
  private static final System.Logger LOG = System.getLogger(NotOffloaded.class.getName());

  /** Adaptive execution plans a query again and again; so many windows are remembered. */
  private static final int MOST_REMEMBERED = 4096;

  private final Set<ExprId> said =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ExprId, Boolean> eldest) {
                  return size() > MOST_REMEMBERED;
                }
              }));

  void say(List<WindowTakeover.Left> windows) {
    for (WindowTakeover.Left window : windows) {
      if (said.add(window.expression().exprId())) {
        LOG.log(
            System.Logger.Level.WARNING,
            ShownText.printable(
                "window stays with Spark: %s: %s"
                    .formatted(
                        asWritten((Expression) window.expression()).sql(), window.reason())));
      }
    }
  }

  /** Returns an expression whose text has no frames that follow the row by a negative number. */
  private static Expression asWritten(Expression expression) {
    if (expression instanceof SpecifiedWindowFrame frame) {
      return frame.copy(frame.frameType(), preceding(frame.lower()), preceding(frame.upper()));
    }
    return expression.mapChildren(NotOffloaded::asWritten);
  }

  private static Expression preceding(Expression bound) {
    return bound instanceof Literal literal
            && literal.value() instanceof Integer rows
            && rows < 0
            && rows > Integer.MIN_VALUE
        ? new UnaryMinus(new Literal(-rows, literal.dataType()))
        : bound;
  }
}
