/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.frames.DoubleSums;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateMerger;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.WordTies;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DoubleType;
import scala.collection.immutable.Seq;

/** What the windows of an operator need of the rows, and what tasks make of it. */
public final class RunningPlan {
  private final Seq<NamedExpression> windows;
  private final Seq<SortOrder> order;
  private final Seq<Attribute> input;
  private final ZoneId zone;
  private final List<RunningFunction> functions = new ArrayList<>();

  /**
   * Plans windows.
   *
   * @param windows windows with their names
   * @param order their order
   * @param input the columns of the rows
   * @param zone the session's time zone
   */
  public RunningPlan(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    this.windows = windows;
    this.order = order;
    this.input = input;
    this.zone = zone;
    for (NamedExpression each : ScalaInterop.list(windows)) {
      functions.add(RunningFunction.of((WindowExpression) ((Alias) each).child()));
    }
  }

  /** Tells whether a part's results depend on the rows of later ones. */
  public boolean needsTotal() {
    return functions.stream().anyMatch(RunningFunction::needsTotal);
  }

  /** Returns what is to be known of each part by itself. */
  public StateSpec states() {
    List<RunningFunction> joined = functions.stream().filter(each -> !each.isChained()).toList();
    boolean ordered = joined.stream().anyMatch(RunningFunction::isOrdered);
    return new StateSpec(partials(joined), ordered, input);
  }

  /**
   * Returns what is to be known of all rows up to the end of each part, which must be gone through
   * in order: of those columns that are needed for it.
   */
  public StateSpec chain() {
    PartialBuffers all = partials(functions.stream().filter(RunningFunction::isChained).toList());
    Map<ExprId, Attribute> needed = new LinkedHashMap<>();
    all.update().forEach(each -> addColumns(each, needed));
    all.columns().forEach(column -> needed.remove(column.exprId()));
    return new StateSpec(all, true, ScalaInterop.seq(needed.values()));
  }

  /**
   * Returns what {@link #chain} adds where that is nothing but doubles: one term for each function,
   * of the chain's columns; null where there is more to do.
   */
  public List<DoubleSums.Term> chainOfDoubles() {
    Seq<Attribute> columns = chain().input();
    List<DoubleSums.Term> terms = new ArrayList<>();
    for (RunningFunction each : functions) {
      if (!each.isChained()) {
        continue;
      }
      boolean sums = each.function() instanceof Sum || each.function() instanceof Average;
      Expression child = each.function().children().apply(0);
      if (!sums || !(child instanceof Attribute) || !(child.dataType() instanceof DoubleType)) {
        return null;
      }
      boolean average = each.function() instanceof Average;
      terms.add(new DoubleSums.Term(ScalaInterop.ordinal(child, columns), average));
    }
    return terms;
  }

  private static PartialBuffers partials(List<RunningFunction> functions) {
    PartialBuffers all = PartialBuffers.NONE;
    for (RunningFunction each : functions) {
      all = all.and(each.partial());
    }
    return all;
  }

  /** Tells whether ranges hand texts on to each other, from which no loop goes on. */
  public boolean handsTextsOn() {
    return functions.stream()
        .map(RunningFunction::function)
        .filter(
            function ->
                function instanceof First
                    || function instanceof Last
                    || function instanceof NthValue
                    || function instanceof Min
                    || function instanceof Max)
        .flatMap(function -> ScalaInterop.list(function.children()).stream())
        .anyMatch(column -> Texts.liesApart(column.dataType()));
  }

  private static void addColumns(Expression expression, Map<ExprId, Attribute> columns) {
    ScalaInterop.list(expression.references().toSeq())
        .forEach(column -> columns.putIfAbsent(column.exprId(), column));
  }

  /** Tells whether results depend on the order of rows that tie. */
  public boolean dependsOnTies() {
    return functions.stream().anyMatch(RunningFunction::dependsOnTies);
  }

  /** Returns the expressions by whose columns rows that tie are ordered; none if they stay. */
  public List<Expression> tied() {
    return dependsOnTies()
        ? functions.stream().map(each -> (Expression) each.function()).toList()
        : List.of();
  }

  /** Returns the order of rows that tie, or null if they stay as they come. */
  public TieOrder ties(Seq<Attribute> rows) {
    return dependsOnTies() ? WordTies.of(tied(), order, rows) : null;
  }

  /** Returns the layout of rows that are columns, with the same order of rows that tie. */
  public SeriesLayout layout() {
    RowOrder by = new RowOrder(order, input);
    return dependsOnTies() ? WordTies.layout(tied(), order, by) : SeriesLayout.ofOneSeries(by);
  }

  /** Returns what tasks compute. */
  public SeriesFrames frames() {
    return SeriesFrames.of(windows, order, input, zone);
  }

  /**
   * Returns what each part starts from.
   *
   * @param states the states of the parts, in order
   * @param chain the states of {@link #chain} after each part
   */
  public List<RunningStart> starts(List<RunningState> states, List<RunningState> chain) {
    StateMerger joined = states().merger();
    states.forEach(joined::add);
    RunningState unchained = unchained();
    Known all = new Known(joined, chain.isEmpty() ? unchained : chain.get(chain.size() - 1));
    StateMerger before = states().merger();
    List<RunningState> after = after(states);
    UnsafeProjection packing = packing();
    List<RunningStart> starts = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      Known known = new Known(before, i == 0 || chain.isEmpty() ? unchained : chain.get(i - 1));
      starts.add(start(known, all, after.get(i), packing));
      before.add(states.get(i));
    }
    return starts;
  }

  /** Returns the states of the rows after each part. */
  private List<RunningState> after(List<RunningState> states) {
    List<RunningState> after = new ArrayList<>();
    RunningState rest = states().merger().state();
    for (int i = states.size() - 1; i >= 0; i--) {
      after.add(rest);
      StateMerger joined = states().merger();
      joined.add(states.get(i));
      joined.add(rest);
      rest = joined.state();
    }
    Collections.reverse(after);
    return after;
  }

  /** Returns what a part starts from where nothing is before it and no total is needed. */
  public RunningStart start() {
    Known none = new Known(states().merger(), unchained());
    return start(none, none, states().merger().state(), packing());
  }

  private RunningState unchained() {
    return chain().collectors().get().state();
  }

  /** What is known of the rows up to some row: what was joined, and what was gone through. */
  private record Known(StateMerger joined, RunningState chained) {}

  /** Returns what packs the buffers of all functions. */
  private UnsafeProjection packing() {
    return UnsafeProjection.create(frames().types());
  }

  /** Returns how what functions start from is packed, none of which begins with a row. */
  public StartValues startValues() {
    return new StartValues(
        frames().types(),
        functions.stream().map(each -> each.function().aggBufferAttributes().size()).toList());
  }

  private RunningStart start(
      Known before, Known all, RunningState after, UnsafeProjection packing) {
    BufferCursor joined = new BufferCursor(states().buffers().types());
    BufferCursor chained = new BufferCursor(chain().buffers().types());
    long total = all.joined().rows();
    List<Object> running = new ArrayList<>(List.of((int) total));
    Map<FrameExtent, List<Object>> rests = new LinkedHashMap<>(); // those of one extent together
    try {
      for (RunningFunction each : functions) {
        Known known = each.extent() == FrameExtent.SERIES ? all : before;
        int count = each.partial().columns().size();
        InternalRow state = each.extent().isRest() ? after.buffers() : known.joined().buffer();
        Object[] partial =
            each.isChained()
                ? chained.take(known.chained().buffers(), count)
                : joined.take(state, count);
        Object[] start =
            each.start(new RunningFunction.Before(known.joined().rows(), total, partial));
        List<Object> values =
            each.extent().isRest()
                ? rests.computeIfAbsent(each.extent(), extent -> new ArrayList<>())
                : running;
        values.addAll(Arrays.asList(start));
      }
    } catch (ArithmeticException overflown) {
      return new RunningStart(null, overflown);
    }
    rests.values().forEach(running::addAll);
    return new RunningStart(packing.apply(new GenericInternalRow(running.toArray())).copy(), null);
  }
}
