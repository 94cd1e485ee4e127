/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

import io.sparkstencil.spark.catalyst.frames.WindowFrames;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.order.ValueTies;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import io.sparkstencil.spark.catalyst.shuffle.RangeExtent;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import scala.collection.immutable.Seq;

/** What the windows of an operator need of the rows, and what tasks make of it. */
public final class BoundedPlan {
  private final Seq<NamedExpression> windows;
  private final Seq<SortOrder> order;
  private final Seq<Attribute> input;
  private final ZoneId zone;
  private final SeriesReach reach;

  /**
   * Plans windows.
   *
   * @param windows windows with their names
   * @param order their order
   * @param input the columns of the rows
   * @param zone the session's time zone
   */
  public BoundedPlan(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    this.windows = windows;
    this.order = order;
    this.input = input;
    this.zone = zone;
    this.reach = reach(windows, order, input, zone);
  }

  private static SeriesReach reach(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    List<FrameReach> frames = new ArrayList<>();
    ScalaInterop.list(windows)
        .forEach(
            each -> frames.add(FrameReach.of((WindowExpression) ((Alias) each).child(), zone)));
    List<FrameReach> byKeys = frames.stream().filter(FrameReach::isOfKeys).toList();
    return new SeriesReach(
        frames.stream().mapToLong(FrameReach::before).max().orElse(0),
        frames.stream().mapToLong(FrameReach::after).max().orElse(0),
        byKeys.isEmpty()
            ? null
            : new RangeReach(
                byKeys,
                new RowOrder(order, input).ofKeys(),
                order.apply(0).direction() == Descending$.MODULE$));
  }

  /** Tells whether it matters between which keys ranges lie. */
  public boolean reachesByKeys() {
    return reach.range() != null;
  }

  /**
   * Returns which units tasks read.
   *
   * @param starts the first unit of each task, and the number of units
   * @param units says what is known of each unit
   */
  public HaloPlan halos(int[] starts, Supplier<List<RangeExtent>> units) {
    return reach.isNone() || starts.length <= 2
        ? HaloPlan.ofOwn(starts)
        : HaloPlan.of(reach, starts, units.get());
  }

  /** Returns the order of rows that tie. */
  public TieOrder ties(Seq<Attribute> rows) {
    List<Expression> functions = new ArrayList<>();
    ScalaInterop.list(windows).forEach(each -> functions.add((Expression) each));
    return ValueTies.of(functions, order, rows);
  }

  /** Returns what tasks compute. */
  public BoundedFrames frames() {
    return new BoundedFrames(
        new WindowFrames(ScalaInterop.list(windows), order, input, zone),
        DataTypeUtils.fromAttributes(input));
  }
}
