/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import scala.collection.immutable.Seq;

/**
 * Windows that share a frame between two rows.
 *
 * @param lower how many rows after the current one the frame begins; negative before it
 * @param upper how many rows after it the last one is
 * @param functions what is computed
 * @param results the columns of what is computed
 * @param input the columns of the rows
 */
record RowFramePlan(
    long lower,
    long upper,
    List<CellFunctionPlan> functions,
    List<Attribute> results,
    Seq<Attribute> input)
    implements CellFramePlan {

  /** Adds a window to the plans of those whose frame it shares; false if it has no such plan. */
  static boolean add(NamedExpression named, Seq<Attribute> input, List<CellFramePlan> plans) {
    WindowExpression window = (WindowExpression) ((Alias) named).child();
    CellFunctionPlan function = CellFunctionPlan.of(window.windowFunction());
    if (function == null
        || !(window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame)
        || frame.frameType() != RowFrame$.MODULE$) {
      return false;
    }
    Integer lower = OpenBound.rows(frame.lower());
    Integer upper = OpenBound.rows(frame.upper());
    if (lower == null || upper == null) {
      return false;
    }
    RowFramePlan plan = sharing(lower, upper, input, plans);
    plan.functions.add(function);
    plan.results.add(named.toAttribute());
    return true;
  }

  private static RowFramePlan sharing(
      long lower, long upper, Seq<Attribute> input, List<CellFramePlan> plans) {
    for (CellFramePlan each : plans) {
      if (each instanceof RowFramePlan known && known.lower == lower && known.upper == upper) {
        return known;
      }
    }
    RowFramePlan made = new RowFramePlan(lower, upper, new ArrayList<>(), new ArrayList<>(), input);
    plans.add(made);
    return made;
  }

  @Override
  public CellFrame start(SpecificInternalRow target, int ordinal) {
    return new Frame(this, target, ordinal);
  }

  /** The frame of a task. */
  private static final class Frame extends CellFrame {
    private final long lower;
    private final long upper;
    private long firstIndex; // of the first row in the frame, in its series
    private long nextIndex; // of the next row that may come in

    Frame(RowFramePlan plan, SpecificInternalRow target, int ordinal) {
      super(List.of(), plan.functions, plan.input, target, ordinal);
      this.lower = plan.lower;
      this.upper = plan.upper;
    }

    @Override
    void prepare(scala.collection.Iterator<UnsafeRow> rows) {
      super.prepare(rows);
      nextIndex = 0;
    }

    @Override
    void moveTo(long index, UnsafeRow row) {
      while (!isEmpty() && firstIndex < index + lower) {
        takeOut();
        firstIndex++;
      }
      for (; next() != null && nextIndex <= index + upper; nextIndex++) {
        if (nextIndex < index + lower) {
          skip();
          continue;
        }
        firstIndex = isEmpty() ? nextIndex : firstIndex;
        takeIn();
      }
    }
  }
}
