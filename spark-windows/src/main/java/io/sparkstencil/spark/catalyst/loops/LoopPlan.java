/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * The functions of an operator.
 *
 * @param calls what is computed
 * @param sources the columns that are read: those of the rows, then others for functions
 * @param order which of these the rows are ordered by
 * @param input the columns of the rows
 * @param results the columns of the results
 */
public record LoopPlan(
    List<LoopCall> calls,
    List<ColumnarLayout.Source> sources,
    List<Integer> order,
    StructType input,
    StructType results)
    implements Serializable {

  /**
   * What becomes of the windows of an operator.
   *
   * @param plan their plan; null if one of them is no loop
   * @param reason why it is none; null if all are loops
   */
  public record Choice(LoopPlan plan, String reason) {
    /** Returns that not all windows are loops. */
    public static Choice not(String reason) {
      return new Choice(null, reason);
    }

    /** Tells whether all windows are loops. */
    public boolean isLoops() {
      return plan != null;
    }
  }

  /**
   * Plans windows over rows that are collected as columns.
   *
   * @param windows windows with their names
   * @param order their order within a series
   * @param input the columns of the rows, all of fixed width or texts
   * @param zone the session's time zone
   * @param whole whether tasks have whole series, and not ranges of them
   */
  public static Choice of(
      Seq<NamedExpression> windows,
      Seq<SortOrder> order,
      Seq<Attribute> input,
      ZoneId zone,
      boolean whole) {
    LoopRules rules = new LoopRules(order, input, zone, whole);
    List<LoopCall> calls = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (NamedExpression each : ScalaInterop.list(windows)) {
      LoopCall call = rules.call((WindowExpression) ((Alias) each).child());
      if (call == null) {
        return new Choice(null, "%s: %s".formatted(each.name(), rules.reason()));
      }
      calls.add(call);
      results.add(each.toAttribute());
    }
    List<Integer> ordered = new ArrayList<>();
    for (SortOrder each : ScalaInterop.list(order)) {
      ordered.add(ScalaInterop.ordinal(each.child(), input));
    }
    LoopPlan plan =
        new LoopPlan(
            calls,
            List.copyOf(rules.sources()),
            ordered,
            DataTypeUtils.fromAttributes(input),
            DataTypeUtils.fromAttributes(ScalaInterop.seq(results)));
    return new Choice(plan, null);
  }

  /** Returns those windows that are loops over rows that are collected as columns. */
  public static List<NamedExpression> looped(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    LoopRules rules = new LoopRules(order, input, zone, true);
    List<NamedExpression> looped = new ArrayList<>();
    for (NamedExpression each : ScalaInterop.list(windows)) {
      if (rules.call((WindowExpression) ((Alias) each).child()) != null) {
        looped.add(each);
      }
    }
    return looped;
  }

  /**
   * Plans windows over rows that stay rows, as far as their frames lie between two bounds.
   *
   * @param windows windows with their names
   * @param input the columns of the rows, of any type
   * @param whole whether tasks have whole series
   * @param others takes the windows that are no such loops
   */
  public static LoopPlan ofRows(
      List<NamedExpression> windows,
      Seq<SortOrder> order,
      Seq<Attribute> input,
      ZoneId zone,
      boolean whole,
      List<NamedExpression> others) {
    LoopRules rules = LoopRules.ofRows(order, input, zone, whole);
    List<LoopCall> calls = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (NamedExpression each : windows) {
      LoopCall call = rules.call((WindowExpression) ((Alias) each).child());
      if (call == null || call.bounds() == null || call.bounds().isFromFirst()) {
        others.add(each);
      } else {
        calls.add(call);
        results.add(each.toAttribute());
      }
    }
    return new LoopPlan(
        calls,
        List.copyOf(rules.sources()),
        List.of(),
        DataTypeUtils.fromAttributes(input),
        DataTypeUtils.fromAttributes(ScalaInterop.seq(results)));
  }

  /** Tells whether a window is a loop whose frames lie between two keys. */
  public static boolean isOfKeys(
      NamedExpression window, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    LoopPlan plan = ofRows(List.of(window), order, input, zone, false, new ArrayList<>());
    return plan.calls.stream().anyMatch(call -> call.bounds().column() >= 0);
  }

  /** Tells whether some frames end with the last row that ties, so that tasks read up to it. */
  public boolean takesTiesIn() {
    return calls.stream().anyMatch(call -> call.extent() == FrameExtent.TIES);
  }

  /** Tells whether some frames begin with the series, and end at a bound. */
  public boolean growsFrames() {
    return calls.stream().anyMatch(call -> call.bounds() != null && call.bounds().isFromFirst());
  }

  /** Returns the functions for the series of a task, whose texts are in a memory. */
  List<LoopFunction> start(TextMemory texts) {
    return calls.stream().map(call -> call.start(sources, texts)).toList();
  }

  /** Returns the types of the cells of the results. */
  List<ElementType> resultCells() {
    return calls.stream().map(LoopCall::results).toList();
  }

  /**
   * Tells for each source whether functions need it, and not the rows alone.
   *
   * @param moving whether functions whose frames move do; else others, and ties
   */
  boolean[] needed(boolean moving) {
    boolean[] needed = new boolean[sources.size()];
    for (LoopCall call : calls) {
      if (moving == (call.bounds() != null)) {
        call.columns().forEach(column -> needed[column] = true);
      }
      if (moving && call.bounds() != null && call.bounds().column() >= 0) {
        needed[call.bounds().column()] = true;
      }
    }
    if (!moving) {
      order.forEach(column -> needed[column] = true);
    }
    return needed;
  }

  /** Returns rows that have their results, in batches. */
  public Iterator<ColumnarBatch> batches(Iterator<InternalRow> rows) {
    return BatchPacker.of(input, results).batches(rows);
  }

  /** Returns rows that have their results, in batches. */
  public RDD<ColumnarBatch> batches(RDD<InternalRow> rows) {
    return BatchPacker.of(input, results, rows);
  }
}
