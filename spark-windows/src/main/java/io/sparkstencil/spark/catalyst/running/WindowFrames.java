/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.window.WindowEvaluatorFactory;
import scala.collection.immutable.Seq;

/** Windows of one order, as tasks compute them with frames that move from row to row. */
public final class WindowFrames implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<NamedExpression> windows;
  private final List<NamedExpression> sparks =
      new ArrayList<>(); // those that Spark's frames compute
  private final WindowEvaluatorFactory factory; // of these; null if there are none
  private final LoopPlan loops; // of the others

  /**
   * Plans windows.
   *
   * @param windows windows with their names
   * @param order their order
   * @param input the columns of the rows
   * @param zone the session's time zone
   * @param whole whether tasks have whole series
   */
  public WindowFrames(
      List<NamedExpression> windows,
      Seq<SortOrder> order,
      Seq<Attribute> input,
      ZoneId zone,
      boolean whole) {
    this.windows = List.copyOf(windows);
    this.loops = LoopPlan.ofRows(windows, order, input, zone, whole, sparks);
    this.factory =
        sparks.isEmpty()
            ? null
            : SparkLine.windowFactory(ScalaInterop.seq(sparks), ScalaInterop.seqOf(), order, input);
  }

  /** Tells whether there are no windows. */
  public boolean isEmpty() {
    return windows.isEmpty();
  }

  /** Returns the columns of the windows' results. */
  public List<Attribute> results() {
    return windows.stream().map(NamedExpression::toAttribute).toList();
  }

  private List<Attribute> loopResults() {
    return windows.stream()
        .filter(each -> !sparks.contains(each))
        .map(NamedExpression::toAttribute)
        .toList();
  }

  /** Returns frames for the rows of a task. */
  public MovingFrames start() {
    return new MovingFrames(sparks, factory, loops, loopResults());
  }
}
