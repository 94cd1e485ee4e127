/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.Aggregates;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.WindowExec;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/**
 * The windows of one node of a logical plan, divided into those that are stencils, those that are
 * not and are computed by us all the same, and those that stay with Spark. All operators of ours
 * are {@link StencilExec}s, whose {@link WindowPlace} is on the left:
 *
 * <pre>
 *                 project   what Spark makes of results, such as decimals; columns in their order
 *   SERIES, CELLS   stencils   the windows between two given rows
 *                     project   values that are not columns of the child
 *   SERIES              all other windows, of series that tasks have whole
 *                         child
 * </pre>
 *
 * Of one series of all rows that is spread over tasks, two operators share the other windows:
 *
 * <pre>
 *   STATES              the ranks, and the windows whose frames begin or end with the series
 *   HALOS                 the windows between two bounds
 *                           child
 * </pre>
 *
 * Windows between two bounds take the longest and come first, so that what reads rows twice finds
 * theirs without the results. If some windows stay with Spark, Spark's operator takes the place of
 * those below the stencils and computes their windows too, as it has all rows in one place anyway.
 * It comes first, so that the stencils find their rows in order; all operators see rows that tie in
 * the same order. A node may hold more than windows: keys, where a subquery has become a join, and
 * constants, where the optimizer knew a window's value. The projection on top gives those.
 */
final class WindowTakeover {
  private final Window window;
  private final KeyColumns keys;
  private final boolean together; // whether tasks have whole series
  private final FilteredArguments filters = new FilteredArguments();
  private final StencilCalls calls = new StencilCalls();
  private final WindowCalls series = new WindowCalls();
  private final WindowCalls running = new WindowCalls();
  private final WindowCalls bounded = new WindowCalls();
  private final List<Left> left = new ArrayList<>();
  private final Map<ExprId, NamedExpression> computed = new HashMap<>();

  /**
   * A window that stays with Spark.
   *
   * @param expression the window with its name
   * @param reason why
   */
  record Left(NamedExpression expression, String reason) {}

  private WindowTakeover(Window window, StencilConf conf) {
    this.window = window;
    this.keys = new KeyColumns(window.partitionSpec(), window.orderSpec());
    this.together = !window.partitionSpec().isEmpty() || conf.get(SqlOptions.ROWS_AS_SPARK);
  }

  /** Divides the windows of a node. */
  static WindowTakeover of(Window window, StencilConf conf) {
    WindowTakeover made = new WindowTakeover(window, conf);
    boolean partitioned = !window.partitionSpec().isEmpty();
    WindowRules rules = new WindowRules(conf, partitioned);
    String whole = rules.refusal(window);
    List<Alias> spread = new ArrayList<>();
    for (NamedExpression named : ScalaInterop.list(window.windowExpressions())) {
      if (isWindowless(named)) {
        made.computed.put(named.exprId(), named);
        continue;
      }
      NamedExpression each = made.filters.without(named);
      String reason = whole == null ? refusal(each, rules::refusal) : whole;
      String spreadReason = reason == null || whole != null ? reason : made.refusal(each, rules);
      if (reason == null) {
        made.take((Alias) each);
      } else if (spreadReason == null) {
        spread.add((Alias) each);
      } else {
        made.left.add(new Left(each, spreadReason));
      }
    }
    made.takeSpread(spread);
    return made;
  }

  /** Returns why a window that is no stencil is not computed by us, or null if it is. */
  private String refusal(NamedExpression named, WindowRules rules) {
    WindowPlace place = WindowPlace.SERIES;
    if (window.partitionSpec().isEmpty()) {
      place = isRunning(named) ? WindowPlace.STATES : WindowPlace.HALOS;
    }
    WindowPlace at = place;
    String all = rules.refusal(window, at);
    return all == null ? refusal(named, each -> rules.refusal(each, at)) : all;
  }

  private void takeSpread(List<Alias> spread) {
    boolean alone = left.isEmpty();
    for (Alias each : spread) {
      if (!alone && !isDear(each)) {
        left.add(new Left(each, "Spark computes another window of the same order"));
      } else {
        computed.put(each.exprId(), calls(each).take(each));
      }
    }
  }

  /**
   * Tells whether Spark goes through many rows for each row of a window, and our operators do not.
   * All others cost little where Spark has all rows in order.
   */
  private boolean isDear(Alias named) {
    if (!(named.child() instanceof WindowExpression function)) {
      return false;
    }
    OpenBound open = OpenBound.of(function);
    FrameExtent extent = FrameExtent.of(function);
    boolean toLast =
        (open != null && open.toLast() && window.partitionSpec().isEmpty())
            || (extent != null && extent.isRest());
    return (toLast && Aggregates.canBeJoined(function.windowFunction()))
        || LoopPlan.isOfKeys(
            named,
            window.orderSpec(),
            window.child().output(),
            DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone()));
  }

  private WindowCalls calls(NamedExpression named) {
    if (together) {
      return series;
    }
    return isRunning(named) ? running : bounded;
  }

  /** Tells whether a window's frame begins or ends with the series. */
  private static boolean isRunning(NamedExpression named) {
    return ((Expression) named)
        .exists(part -> part instanceof WindowExpression each && FrameExtent.of(each) != null);
  }

  /** Tells whether a projection gives the same as a window's operator: a key, or a constant. */
  private static boolean isWindowless(NamedExpression named) {
    Expression expression = (Expression) named;
    return (named instanceof Attribute || named instanceof Alias)
        && expression.deterministic()
        && !expression.exists(part -> part instanceof WindowExpression);
  }

  private static String refusal(NamedExpression named, Function<WindowExpression, String> rules) {
    return named instanceof Alias alias
        ? refusal(alias.child(), rules)
        : "it is a " + named.getClass().getSimpleName();
  }

  /** Returns why an expression stays with Spark, or null if it need not. */
  private static String refusal(Expression expression, Function<WindowExpression, String> rules) {
    if (expression instanceof WindowExpression function) {
      return rules.apply(function);
    }
    for (Expression child : ScalaInterop.list(expression.children())) {
      String reason = refusal(child, rules);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private void take(Alias alias) {
    Expression value = calls.compute(alias.child(), alias.toAttribute());
    if (value instanceof Attribute result && result.exprId().equals(alias.exprId())) {
      computed.put(alias.exprId(), result);
    } else {
      computed.put(
          alias.exprId(), (NamedExpression) alias.withNewChildren(ScalaInterop.seqOf(value)));
    }
  }

  /** Tells whether all windows stay with Spark. */
  boolean isEmpty() {
    return calls.stencils().isEmpty()
        && series.isEmpty()
        && running.isEmpty()
        && bounded.isEmpty()
        && !left.isEmpty();
  }

  /** Returns the windows that stay with Spark. */
  List<Left> left() {
    return left;
  }

  /** Returns the plan of all windows of the node. */
  SparkPlan plan(SparkPlan child) {
    SparkPlan input = keys.with(KeyColumns.with(filters.columns(), child));
    SparkPlan rows = spread(left.isEmpty() ? input : sparks(input));
    rows = calls.stencils().isEmpty() ? rows : stencils(rows);
    List<NamedExpression> wanted = new ArrayList<>(ScalaInterop.list(window.child().output()));
    for (NamedExpression each : ScalaInterop.list(window.windowExpressions())) {
      wanted.add(computed.getOrDefault(each.exprId(), each.toAttribute()));
    }
    return wanted.equals(ScalaInterop.list(rows.output()))
        ? rows
        : new ProjectExec(ScalaInterop.seq(wanted), rows);
  }

  private SparkPlan sparks(SparkPlan child) {
    List<NamedExpression> windows = left.stream().map(Left::expression).toList();
    return new WindowExec(ScalaInterop.seq(windows), keys.keys(), keys.order(), child);
  }

  /** Returns the operators between those of Spark and the stencils. */
  private SparkPlan spread(SparkPlan child) {
    if (!series.isEmpty()) {
      Seq<NamedExpression> all = ScalaInterop.seq(series.windows());
      return windows(all, WindowPlace.SERIES, child);
    }
    SparkPlan rows = child;
    if (!bounded.isEmpty()) {
      rows = windows(ScalaInterop.seq(bounded.windows()), WindowPlace.HALOS, rows);
    }
    if (!running.isEmpty()) {
      rows = windows(ScalaInterop.seq(running.windows()), WindowPlace.STATES, rows);
    }
    return rows;
  }

  private SparkPlan windows(Seq<NamedExpression> all, WindowPlace place, SparkPlan child) {
    return new StencilExec(
            all, keys.keys(), keys.order(), place, Engines.AUTO, SeriesWay.TOGETHER, child)
        .verified();
  }

  private SparkPlan stencils(SparkPlan child) {
    SparkPlan input = KeyColumns.with(calls.values(), child);
    return windows(ScalaInterop.seq(calls.stencils()), WindowPlace.ofStencils(keys.keys()), input);
  }
}
