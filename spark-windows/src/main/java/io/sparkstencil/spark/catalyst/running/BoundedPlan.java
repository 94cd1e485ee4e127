/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.WordTies;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import scala.collection.immutable.Seq;

/** What the windows of an operator need of the rows, and what tasks make of it. */
public final class BoundedPlan {
  private final Seq<NamedExpression> windows;
  private final Seq<SortOrder> order;
  private final Seq<Attribute> input;
  private final ZoneId zone;
  private final OpenFrames open;
  private final List<PartialBuffers> values = new ArrayList<>(); // counts of those of lag and lead
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
    this.open = new OpenFrames(some(BoundedPlan::isOpen), order, input, zone);
    this.reach = reach();
  }

  private List<NamedExpression> some(Predicate<NamedExpression> wanted) {
    return ScalaInterop.list(windows).stream().filter(wanted).toList();
  }

  private static WindowExpression window(NamedExpression named) {
    return (WindowExpression) ((Alias) named).child();
  }

  private static boolean isOpen(NamedExpression named) {
    return OpenBound.of(window(named)) != null;
  }

  private SeriesReach reach() {
    List<FrameReach> frames = new ArrayList<>();
    List<ValueReach> neighbours = new ArrayList<>();
    int column = open.states().buffers().columns().size();
    for (NamedExpression each : ScalaInterop.list(windows)) {
      frames.add(FrameReach.of(window(each), zone));
      if (window(each).windowFunction() instanceof FrameLessOffsetWindowFunction function
          && function.ignoreNulls()) {
        long offset = RowFrame.of(function).lower();
        neighbours.add(
            new ValueReach(column + values.size(), Math.max(0, -offset), Math.max(0, offset)));
        values.add(PartialBuffers.of(new Count(ScalaInterop.seqOf(function.input()))));
      }
    }
    List<FrameReach> byKeys = frames.stream().filter(FrameReach::isOfKeys).toList();
    return new SeriesReach(
        frames.stream().mapToLong(FrameReach::before).max().orElse(0),
        frames.stream().mapToLong(FrameReach::after).max().orElse(0),
        byKeys.isEmpty()
            ? null
            : new RangeReach(
                byKeys,
                new RowOrder(order, input).ofKeys(),
                order.apply(0).direction() == Descending$.MODULE$),
        neighbours,
        !open.isEmpty());
  }

  /**
   * Returns what is to be known of each unit beside its extent: what frames without a bound on one
   * side have aggregated of it, and how many values it has for functions that ignore nulls.
   */
  public StateSpec states() {
    StateSpec frames = open.states();
    PartialBuffers all = frames.buffers();
    for (PartialBuffers each : values) {
      all = all.and(each);
    }
    return new StateSpec(all, frames.ordered(), input);
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
  public HaloPlan halos(int[] starts, Supplier<List<UnitFacts>> units) {
    if (reach.isNone() || starts.length <= 2) {
      return HaloPlan.ofOwn(starts);
    }
    List<UnitFacts> facts = units.get();
    OuterBuffers beside = open.isEmpty() ? null : OuterBuffers.of(states(), facts);
    return HaloPlan.of(reach, starts, facts, beside);
  }

  /** Returns the order of rows that tie. */
  public TieOrder ties(Seq<Attribute> rows) {
    return WordTies.of(tied(), order, rows);
  }

  private List<Expression> tied() {
    List<Expression> functions = new ArrayList<>();
    ScalaInterop.list(windows).forEach(each -> functions.add((Expression) each));
    return functions;
  }

  /** Returns the layout of rows that are columns, with the same order of rows that tie. */
  public SeriesLayout layout() {
    return WordTies.layout(tied(), order, new RowOrder(order, input));
  }

  /** Returns what tasks compute. */
  public BoundedFrames frames() {
    List<NamedExpression> closed = some(each -> !isOpen(each));
    List<Attribute> results =
        ScalaInterop.list(windows).stream().map(NamedExpression::toAttribute).toList();
    return new BoundedFrames(
        new WindowFrames(closed, order, input, zone, false),
        open,
        results,
        DataTypeUtils.fromAttributes(input));
  }
}
