/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.DecimalMean;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SizeBasedWindowFunction;
import org.apache.spark.sql.catalyst.expressions.SizeBasedWindowFunction$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.NoOp$;
import org.apache.spark.sql.types.DataType;

/**
 * The buffer that all windows share whose frames begin with the series. Its first column is the
 * size of the series, for the functions that depend on it.
 *
 * @param columns the columns of the buffer
 * @param initial their values before the first row of a series
 * @param updates their values after a row, of the buffer and the row, for each extent of frames
 * @param evaluate the results by their columns, of the buffer
 * @param sized whether a function depends on the size of the series
 */
record SeriesBuffer(
    List<Attribute> columns,
    List<Expression> initial,
    Map<FrameExtent, List<Expression>> updates,
    Map<Attribute, Expression> evaluate,
    boolean sized)
    implements Serializable {

  /**
   * Returns the buffer of functions whose frames begin with the series.
   *
   * @param functions these
   * @param results the columns of their results
   */
  static SeriesBuffer of(List<RunningFunction> functions, List<Attribute> results) {
    List<Attribute> columns = new ArrayList<>();
    List<Expression> initial = new ArrayList<>();
    Map<Attribute, Expression> evaluate = new LinkedHashMap<>();
    List<FrameExtent> extents = new ArrayList<>();
    List<Expression> all = new ArrayList<>();
    columns.add(SizeBasedWindowFunction$.MODULE$.n());
    initial.add(NoOp$.MODULE$);
    extents.add(null);
    all.add(NoOp$.MODULE$);
    boolean sized = false;
    for (int i = 0; i < functions.size(); i++) {
      DeclarativeAggregate function = functions.get(i).function();
      sized |= function instanceof SizeBasedWindowFunction;
      columns.addAll(ScalaInterop.list(function.aggBufferAttributes()));
      initial.addAll(ScalaInterop.list(function.initialValues()));
      for (Expression update : ScalaInterop.list(function.updateExpressions())) {
        all.add(update);
        extents.add(functions.get(i).extent());
      }
      evaluate.put(results.get(i), DecimalMean.in(function.evaluateExpression()));
    }
    return new SeriesBuffer(columns, initial, updates(all, extents), evaluate, sized);
  }

  /** Tells whether a window's frame begins with the series, and expressions compute it. */
  static boolean has(WindowExpression window) {
    FrameExtent extent = FrameExtent.of(window);
    return extent != null
        && !extent.isRest()
        && (window.windowFunction() instanceof DeclarativeAggregate
            || (window.windowFunction() instanceof AggregateExpression aggregate
                && aggregate.aggregateFunction() instanceof DeclarativeAggregate));
  }

  private static Map<FrameExtent, List<Expression>> updates(
      List<Expression> all, List<FrameExtent> extents) {
    Map<FrameExtent, List<Expression>> updates = new EnumMap<>(FrameExtent.class);
    for (FrameExtent extent : FrameExtent.values()) {
      if (extents.contains(extent)) {
        List<Expression> some = new ArrayList<>(all);
        for (int i = 0; i < some.size(); i++) {
          if (extents.get(i) != extent) {
            some.set(i, NoOp$.MODULE$);
          }
        }
        updates.put(extent, some);
      }
    }
    return updates;
  }

  /** Returns the types of the columns. */
  DataType[] types() {
    return columns.stream().map(Attribute::dataType).toArray(DataType[]::new);
  }
}
