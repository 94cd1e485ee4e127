/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.RangeFrame$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import scala.collection.immutable.Seq;

/**
 * Windows that share a frame between two keys, and go through arrays of numbers.
 *
 * @param key what rows are ordered by
 * @param descending whether greater keys come first
 * @param nullsFirst whether rows without a key do
 * @param lower where the frame of a row begins, of its key as column 0
 * @param upper where it ends
 * @param functions what is computed
 * @param results the columns of what is computed
 * @param input the columns of the rows
 */
record KeyFramePlan(
    Expression key,
    boolean descending,
    boolean nullsFirst,
    Expression lower,
    Expression upper,
    List<CellFunctionPlan> functions,
    List<Attribute> results,
    Seq<Attribute> input)
    implements CellFramePlan {

  /** Adds a window to the plans of those whose frame it shares; false if it has no such plan. */
  static boolean add(
      NamedExpression named,
      Seq<SortOrder> order,
      Seq<Attribute> input,
      ZoneId zone,
      List<CellFramePlan> plans) {
    WindowExpression window = (WindowExpression) ((Alias) named).child();
    CellFunctionPlan function = CellFunctionPlan.of(window.windowFunction());
    if (function == null
        || order.size() != 1
        || KeyType.of(order.apply(0).child().dataType()) == null
        || !(window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame)
        || frame.frameType() != RangeFrame$.MODULE$
        || frame.lower() == UnboundedPreceding$.MODULE$
        || frame.upper() == UnboundedFollowing$.MODULE$) {
      return false;
    }
    RangeBound lower = RangeBound.of(order.apply(0), frame.lower(), zone);
    RangeBound upper = RangeBound.of(order.apply(0), frame.upper(), zone);
    if (lower == null || upper == null) {
      return false;
    }
    KeyFramePlan plan = sharing(order.apply(0), lower, upper, input, plans);
    plan.functions.add(function);
    plan.results.add(named.toAttribute());
    return true;
  }

  private static KeyFramePlan sharing(
      SortOrder order,
      RangeBound lower,
      RangeBound upper,
      Seq<Attribute> input,
      List<CellFramePlan> plans) {
    for (CellFramePlan each : plans) {
      if (each instanceof KeyFramePlan known
          && known.lower.equals(lower.expression())
          && known.upper.equals(upper.expression())) {
        return known;
      }
    }
    KeyFramePlan made =
        new KeyFramePlan(
            order.child(),
            order.direction() == Descending$.MODULE$,
            order.nullOrdering() == NullsFirst$.MODULE$,
            lower.expression(),
            upper.expression(),
            new ArrayList<>(),
            new ArrayList<>(),
            input);
    plans.add(made);
    return made;
  }

  @Override
  public CellFrame start(SpecificInternalRow target, int ordinal) {
    return new KeyFrame(this, target, ordinal);
  }
}
