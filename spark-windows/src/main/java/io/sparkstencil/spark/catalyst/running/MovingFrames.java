/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.loops.RowLoops;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import org.apache.spark.sql.execution.window.SlidingWindowFunctionFrame;
import org.apache.spark.sql.execution.window.WindowEvaluatorFactory;
import org.apache.spark.sql.execution.window.WindowFunctionFrame;
import org.apache.spark.sql.types.DataType;
import scala.Function1;

/** The frames of some windows as a task moves them over the rows of its series. Of one thread. */
public final class MovingFrames {
  private final List<WindowFunctionFrame> sparks = new ArrayList<>();
  private final RowLoops loops; // null if there are none
  private final int ordinal; // of their results
  private final List<Attribute> columns = new ArrayList<>();
  private final SpecificInternalRow values;

  /**
   * Creates the frames.
   *
   * @param windows those that Spark's frames compute
   * @param factory makes Spark's frames; null if there are none
   * @param plan the other windows
   * @param results the columns of their results
   */
  MovingFrames(
      List<NamedExpression> windows,
      WindowEvaluatorFactory factory,
      LoopPlan plan,
      List<Attribute> results) {
    List<NamedExpression> left = new ArrayList<>(windows);
    List<Function1<InternalRow, WindowFunctionFrame>> makers = new ArrayList<>();
    if (factory != null) {
      for (var pair : ScalaInterop.list(factory.windowFrameExpressionFactoryPairs())) {
        makers.add(pair._2());
        for (Expression each : ScalaInterop.list(pair._1())) {
          columns.add(take(left, each).toAttribute());
        }
      }
    }
    this.ordinal = columns.size();
    columns.addAll(results);
    List<DataType> types = columns.stream().map(Attribute::dataType).toList();
    this.values = new SpecificInternalRow(ScalaInterop.seq(types));
    makers.forEach(each -> sparks.add(each.apply(values)));
    this.loops = plan.results().isEmpty() ? null : new RowLoops(plan);
  }

  /** Takes the first window that is an expression; windows of one query may be equal. */
  private static NamedExpression take(List<NamedExpression> windows, Expression expression) {
    for (NamedExpression each : windows) {
      if (((Alias) each).child().equals(expression)) {
        windows.remove(each);
        return each;
      }
    }
    throw new IllegalStateException("%s is not among %s".formatted(expression, windows));
  }

  /** Returns the columns of {@link #values}: the results of the windows, in another order. */
  public List<Attribute> columns() {
    return columns;
  }

  /** Tells whether no frame is Spark's, which keep the rows that are in them. */
  public boolean goThroughArrays() {
    return sparks.isEmpty();
  }

  /** Begins a series, where all frames go through arrays. */
  public void prepare(WholeSeries rows) {
    loops.begin(rows.rows(), rows.size());
  }

  /** Begins a series. */
  public void prepare(ExternalAppendOnlyUnsafeRowArray rows) {
    sparks.forEach(each -> each.prepare(rows));
    if (loops != null) {
      loops.begin(rows.generateIterator(), rows.length());
    }
  }

  /** Moves to the row with an index in its series, the one after that of the call before. */
  public void move(int index, UnsafeRow row) {
    for (WindowFunctionFrame each : sparks) {
      each.write(index, row);
    }
    if (loops != null) {
      loops.write(index, row, values, ordinal);
    }
  }

  /**
   * Moves to a row whose results are not asked for. A sliding frame may skip such rows: it adds up
   * its rows whenever they change, so that this saves the work. Spark's is shown a first row, where
   * it adds up whether it has rows or not.
   */
  public void pass(int index, UnsafeRow row) {
    for (WindowFunctionFrame each : sparks) {
      if (index == 0 || !(each instanceof SlidingWindowFunctionFrame)) {
        each.write(index, row);
      }
    }
  }

  /** Returns the results at the current row, which the next call overwrites. */
  public InternalRow values() {
    return values;
  }
}
