/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.source.StagedStencils;
import io.sparkstencil.spark.catalyst.source.WindowTask;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.plugin.CostModel;
import io.sparkstencil.spark.plugin.ProgramForecast;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import scala.collection.immutable.Seq;

/**
 * Stencils that an operator computes.
 *
 * @param stencils {@link StencilExpression}s over attributes of the rows, with their names
 * @param engine the name of an engine, or {@code auto}
 */
record SeriesStencils(List<NamedExpression> stencils, String engine) {
  /** Tells whether a window is a stencil. */
  static boolean isOne(NamedExpression window) {
    return window instanceof Alias named && named.child() instanceof StencilExpression;
  }

  /** Returns the stencils without their names. */
  List<StencilExpression> calls() {
    return stencils.stream().map(each -> (StencilExpression) ((Alias) each).child()).toList();
  }

  /** Returns what tasks compute that read {@code rows}. */
  StagedStencils staged(Seq<Attribute> rows, WindowTask task) {
    List<Integer> ordinals = new ArrayList<>();
    StagePlan plan = stages(rows, ordinals);
    return new StagedStencils(
        plan,
        new CellReader(plan, ordinals.stream().mapToInt(i -> i).toArray()),
        DataTypeUtils.fromAttributes(rows),
        DataTypeUtils.fromAttributes(
            ScalaInterop.seq(stencils.stream().map(NamedExpression::toAttribute).toList())),
        task);
  }

  /** Says which engines are going to compute what, in lines of a plan. */
  String engines(Seq<Attribute> rows) {
    StagePlan plan = stages(rows, new ArrayList<>());
    List<List<StencilSpec>> specs =
        plan.pipelines().stream()
            .map(StagePlan.Pipeline::specs)
            .filter(each -> !each.isEmpty())
            .toList();
    StringBuilder text = new StringBuilder();
    String asked = conf().get(StencilOptions.ENGINE);
    if (!specs.isEmpty()) {
      text.append("Engine: %s%n".formatted(CostModel.forecast(asked, specs)));
    }
    for (StagePlan.Program each : plan.programs()) {
      ProgramOperation of = each.program().operation();
      ElementType type = plan.columns().get(each.column()).type();
      String forecast =
          ProgramForecast.of(asked, of.program(), type, of.steps(), "a chunk of rows");
      text.append("Engine of %s: %s%n".formatted(of, forecast));
    }
    return text.toString();
  }

  /** Returns the pipelines over {@code rows}, and adds the columns that they read. */
  StagePlan stages(Seq<Attribute> rows, List<Integer> ordinals) {
    List<StagePlan.Call> staged = new ArrayList<>();
    for (StencilExpression call : calls()) {
      int ordinal =
          call.value() instanceof Literal
              ? CellReader.ROW
              : ScalaInterop.ordinal(call.value(), rows);
      if (!ordinals.contains(ordinal)) {
        ordinals.add(ordinal);
      }
      staged.add(
          new StagePlan.Call(
              ordinals.indexOf(ordinal),
              StencilExpression.storedKindOf(call.value().dataType()),
              call.operation()));
    }
    return StagePlan.of(staged);
  }

  /** Returns the options as the session has them, with the engine that the query names. */
  StencilConf conf() {
    return SessionOptions.withEngine(SessionOptions.ofSession(), engine);
  }
}
