/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.StencilTask;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.plugin.CostModel;
import io.sparkstencil.spark.plugin.ProgramForecast;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.Seq;

/**
 * Stencils over series of rows: what the logical node and the operator have in common.
 *
 * <p>Spark looks for expressions among the elements of a node and makes nodes anew from them, so
 * that a node has these components as elements of its own, in this order.
 *
 * @param stencils {@link StencilExpression}s over attributes of the rows
 * @param results the columns of their results
 * @param partitionSpec keys of the series; empty if all rows are one series
 * @param orderSpec the order of each series
 * @param ordered whether the rows are in this order already
 * @param engine the name of an engine, or {@code auto}
 */
public record SeriesStencils(
    Seq<Expression> stencils,
    Seq<Attribute> results,
    Seq<Expression> partitionSpec,
    Seq<SortOrder> orderSpec,
    boolean ordered,
    String engine)
    implements Serializable {

  /** Refuses what no task could compute while a query is still being planned. */
  public SeriesStencils {
    if (stencils.isEmpty() || stencils.size() != results.size()) {
      throw new IllegalArgumentException(
          "%d stencils have %d results; there must be as many, and one at least"
              .formatted(stencils.size(), results.size()));
    }
  }

  /** Returns the same of series whose keys and order are columns. */
  SeriesStencils by(KeyColumns columns) {
    return new SeriesStencils(stencils, results, columns.keys(), columns.order(), ordered, engine);
  }

  /** Returns the components and what follows them in a node. */
  List<Object> elements(Object... more) {
    List<Object> all =
        new ArrayList<>(List.of(stencils, results, partitionSpec, orderSpec, ordered, engine));
    all.addAll(List.of(more));
    return all;
  }

  /** Returns at most {@code most} stencils with the names of their results, and their order. */
  String text(int most) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Math.min(stencils.size(), most); i++) {
      texts.add(stencils.apply(i) + " AS " + results.apply(i));
    }
    if (stencils.size() > most) {
      texts.add("... %d more".formatted(stencils.size() - texts.size()));
    }
    return texts + order().text();
  }

  /** Returns the columns of rows with their results. */
  Seq<Attribute> output(Seq<Attribute> rows) {
    return ScalaInterop.concat(rows, results);
  }

  /** Returns the columns that are in no input. */
  AttributeSet produced() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  /** Tells whether the rows of each series have to be brought together. */
  boolean isGrouped() {
    return !partitionSpec.isEmpty() && !ordered;
  }

  /** Returns the keys of the series and their order. */
  SeriesOrder order() {
    return new SeriesOrder(partitionSpec, orderSpec);
  }

  /**
   * Returns the order of a partition that holds {@code rows} of whole series.
   *
   * @param keepsTies whether rows of one series that tie stay as they come
   */
  UnitOrder unitOrder(Seq<Attribute> rows, StencilTask task, boolean keepsTies) {
    return partitionSpec.isEmpty()
        ? UnitOrder.ofOneSeries(
            new RowOrder(orderSpec, rows), keepsTies ? null : task.cells(), task.rowSchema())
        : order().unitOrder(rows);
  }

  /** Returns what tasks do that read {@code rows}. */
  StencilTask task(Seq<Attribute> rows, Map<StencilMetric, SQLMetric> metrics) {
    List<Integer> ordinals = new ArrayList<>();
    StagePlan plan = stages(rows, ordinals);
    return new StencilTask(
        plan,
        new CellReader(plan, ordinals.stream().mapToInt(i -> i).toArray()),
        DataTypeUtils.fromAttributes(rows),
        DataTypeUtils.fromAttributes(results),
        conf(),
        metrics);
  }

  /** Says which engines are going to compute what, in lines of a plan. */
  String engines(Seq<Attribute> rows) {
    StagePlan plan = stages(rows, new ArrayList<>());
    List<List<StencilSpec>> stencils =
        plan.pipelines().stream()
            .map(StagePlan.Pipeline::specs)
            .filter(specs -> !specs.isEmpty())
            .toList();
    StringBuilder text = new StringBuilder();
    String engine = conf().get(StencilOptions.ENGINE);
    if (!stencils.isEmpty()) {
      text.append("Engine: %s%n".formatted(CostModel.forecast(engine, stencils)));
    }
    for (StagePlan.Program each : plan.programs()) {
      ProgramOperation of = each.program().operation();
      ElementType type = plan.columns().get(each.column()).type();
      String forecast =
          ProgramForecast.of(engine, of.program(), type, of.steps(), "a chunk of rows");
      text.append("Engine of %s: %s%n".formatted(of, forecast));
    }
    return text.toString();
  }

  /** Returns the pipelines over {@code rows}, and adds the columns that they read. */
  StagePlan stages(Seq<Attribute> rows, List<Integer> ordinals) {
    List<StagePlan.Call> calls = new ArrayList<>();
    for (Expression stencil : ScalaInterop.list(stencils)) {
      StencilExpression call = (StencilExpression) stencil;
      int ordinal =
          call.value() instanceof Literal
              ? CellReader.ROW
              : ScalaInterop.ordinal(call.value(), rows);
      if (!ordinals.contains(ordinal)) {
        ordinals.add(ordinal);
      }
      calls.add(
          new StagePlan.Call(
              ordinals.indexOf(ordinal),
              StencilExpression.storedKindOf(call.value().dataType()),
              call.operation()));
    }
    return StagePlan.of(calls);
  }

  /** Returns the options as the session has them, with the engine that the query names. */
  StencilConf conf() {
    return SessionOptions.withEngine(SessionOptions.ofSession(), engine);
  }
}
