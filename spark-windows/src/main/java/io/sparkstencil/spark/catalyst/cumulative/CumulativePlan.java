/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cumulative;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
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
public record CumulativePlan(
    List<CumulativeCall> calls,
    List<ColumnarLayout.Source> sources,
    List<Integer> order,
    StructType input,
    StructType results)
    implements Serializable {

  /**
   * Plans windows over rows that are collected as columns; empty if there is another function or
   * frame among them.
   *
   * @param windows windows with their names
   * @param order their order within a series
   * @param input the columns of the rows, all of fixed width or texts
   */
  public static Optional<CumulativePlan> of(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input) {
    List<CumulativeCall> calls = new ArrayList<>();
    List<ColumnarLayout.Source> sources = new ArrayList<>();
    for (Attribute column : ScalaInterop.list(input)) {
      sources.add(ColumnarLayout.asIs(sources.size(), column.dataType()));
    }
    List<Attribute> results = new ArrayList<>();
    for (NamedExpression each : ScalaInterop.list(windows)) {
      WindowExpression window = (WindowExpression) ((Alias) each).child();
      CumulativeCall call = CumulativeCall.of(window, input);
      if (call == null) {
        return Optional.empty();
      }
      calls.add(call);
      results.add(each.toAttribute());
      if (call.value() != null && !sources.contains(call.value())) {
        sources.add(call.value());
      }
    }
    List<Integer> ordered = new ArrayList<>();
    for (SortOrder each : ScalaInterop.list(order)) {
      ordered.add(ScalaInterop.ordinal(each.child(), input));
    }
    return Optional.of(
        new CumulativePlan(
            calls,
            sources,
            ordered,
            DataTypeUtils.fromAttributes(input),
            DataTypeUtils.fromAttributes(ScalaInterop.seq(results))));
  }

  /** Returns the functions for the series of a task. */
  List<CumulativeFunction> start() {
    return calls.stream().map(call -> call.start(sources.indexOf(call.value()))).toList();
  }

  /** Returns the types of the cells of the results. */
  List<ElementType> resultCells() {
    return calls.stream().map(CumulativeCall::results).toList();
  }

  /** Tells for each source whether functions or ties need it, and not the rows alone. */
  boolean[] needed() {
    boolean[] needed = new boolean[sources.size()];
    calls.stream()
        .filter(call -> call.value() != null)
        .forEach(call -> needed[sources.indexOf(call.value())] = true);
    order.forEach(column -> needed[column] = true);
    return needed;
  }
}
