/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RepeatableSeries;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SizeBasedWindowFunction;
import org.apache.spark.sql.catalyst.expressions.SizeBasedWindowFunction$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.NoOp$;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Windows that begin afresh with each series, as tasks compute them. All share one buffer; its
 * first column is the size of the series, for the functions that depend on it.
 *
 * @param columns the columns of the buffer
 * @param initial their values before the first row of a series
 * @param updates their values after a row, of the buffer and the row, for each extent of frames
 * @param evaluate the results, of the buffer
 * @param results the columns of the results
 * @param input the columns of the rows
 * @param order the order of the rows of a series
 * @param sized whether a function depends on the size of the series
 */
public record SeriesFrames(
    List<Attribute> columns,
    List<Expression> initial,
    Map<Extent, List<Expression>> updates,
    List<Expression> evaluate,
    List<Attribute> results,
    Seq<Attribute> input,
    RowOrder order,
    boolean sized)
    implements Serializable {

  /**
   * Plans windows.
   *
   * @param windows windows with their names
   * @param order their order within a series
   * @param input the columns of the rows
   */
  public static SeriesFrames of(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input) {
    List<Attribute> columns = new ArrayList<>();
    List<Expression> initial = new ArrayList<>();
    List<Expression> evaluate = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    List<Extent> extents = new ArrayList<>();
    List<Expression> all = new ArrayList<>();
    columns.add(SizeBasedWindowFunction$.MODULE$.n());
    initial.add(NoOp$.MODULE$);
    extents.add(null);
    all.add(NoOp$.MODULE$);
    boolean sized = false;
    for (NamedExpression each : ScalaInterop.list(windows)) {
      WindowExpression window = (WindowExpression) ((Alias) each).child();
      DeclarativeAggregate function = function(window.windowFunction());
      Extent extent = Extent.of(window.windowSpec().frameSpecification());
      sized |= function instanceof SizeBasedWindowFunction;
      columns.addAll(ScalaInterop.list(function.aggBufferAttributes()));
      initial.addAll(ScalaInterop.list(function.initialValues()));
      for (Expression update : ScalaInterop.list(function.updateExpressions())) {
        all.add(update);
        extents.add(extent);
      }
      evaluate.add(function.evaluateExpression());
      results.add(each.toAttribute());
    }
    Map<Extent, List<Expression>> updates = updates(all, extents);
    RowOrder by = new RowOrder(order, input);
    return new SeriesFrames(columns, initial, updates, evaluate, results, input, by, sized);
  }

  /** Returns the function of a window, with columns of its buffer that no other function has. */
  private static DeclarativeAggregate function(Expression function) {
    return Ranks.copy(
        function instanceof AggregateExpression aggregate
            ? aggregate.aggregateFunction()
            : function);
  }

  private static Map<Extent, List<Expression>> updates(List<Expression> all, List<Extent> extents) {
    Map<Extent, List<Expression>> updates = new EnumMap<>(Extent.class);
    for (Extent extent : Extent.values()) {
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

  /** Returns the rows of a partition, one series after the other, with their results. */
  public Iterator<InternalRow> run(RowSource rows) {
    boolean once = !sized && updates.keySet().equals(Set.of(Extent.ROWS));
    return new SeriesResults(this, once ? rows : new RepeatableSeries(rows));
  }
}
