/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the stencils of a query are staged as: each value column once per element type, each staged
 * column once per boundary rule.
 *
 * @param columns the staged columns
 * @param pipelines one for each staged column and boundary rule
 * @param results where the result of each call is found
 * @param left cells that the widest frame needs before a row
 * @param right cells that the widest frame needs after a row
 */
public record StagePlan(
    List<Column> columns, List<Pipeline> pipelines, List<Result> results, int left, int right)
    implements Serializable {

  /**
   * One stencil over one column of a query.
   *
   * @param column index among the value columns that the query reads
   * @param kind the type of that column
   * @param stencil what is computed
   * @param overflow what becomes of sums of bigint that overflow
   */
  public record Call(int column, CellKind kind, Stencil stencil, SumOverflow overflow) {
    /** Returns the overflow rule that matters: sums of narrower integers cannot leave bigint. */
    private SumOverflow effectiveOverflow() {
      return kind == CellKind.LONG && stencil.reduction() == Reduction.SUM
          ? overflow
          : SumOverflow.WRAP;
    }
  }

  /**
   * A value column staged in one element type.
   *
   * @param input index among the value columns that the query reads
   * @param kind the type of that column
   * @param type the type of the cells
   */
  public record Column(int input, CellKind kind, ElementType type) implements Serializable {}

  /**
   * Stencils over one staged column under one boundary rule, which become one {@code Staging}.
   *
   * @param column index in {@link #columns()}
   * @param boundary the rule
   * @param specs what runs
   */
  public record Pipeline(int column, Boundary boundary, List<StencilSpec> specs)
      implements Serializable {}

  /**
   * Where a result is found.
   *
   * @param pipeline index in {@link #pipelines()}
   * @param spec index among the specs of that pipeline
   * @param kind the type of the result column
   * @param overflow what becomes of results that {@link CheckedSums} finds; WRAP asks for no look
   */
  public record Result(int pipeline, int spec, CellKind kind, SumOverflow overflow)
      implements Serializable {}

  /** Plans the stencils of a query, at least one. */
  public static StagePlan of(List<Call> calls) {
    List<Column> columns = new ArrayList<>();
    List<Pipeline> pipelines = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    int left = 0;
    int right = 0;
    for (Call call : calls) {
      ElementType type = call.kind().stagedFor(call.stencil().reduction());
      StencilSpec spec = new StencilSpec(call.stencil(), type);
      int column = indexOf(columns, new Column(call.column(), call.kind(), type));
      int pipeline = pipelineOf(pipelines, column, spec.boundary());
      List<StencilSpec> specs = pipelines.get(pipeline).specs();
      results.add(
          new Result(
              pipeline,
              indexOf(specs, spec),
              call.kind().resultOf(call.stencil().reduction()),
              call.effectiveOverflow()));
      left = Math.max(left, spec.frame().left());
      right = Math.max(right, spec.frame().right());
    }
    return new StagePlan(columns, pipelines, results, left, right);
  }

  /** Plans one stencil over arrays of {@code type}. */
  public static StagePlan ofArrays(ElementType type, StencilSpec spec) {
    return new StagePlan(
        List.of(new Column(0, CellKind.of(type), spec.type())),
        List.of(new Pipeline(0, spec.boundary(), List.of(spec))),
        List.of(new Result(0, 0, CellKind.of(spec.type()), SumOverflow.WRAP)),
        spec.frame().left(),
        spec.frame().right());
  }

  private static <T> int indexOf(List<T> list, T element) {
    int index = list.indexOf(element);
    if (index < 0) {
      list.add(element);
      return list.size() - 1;
    }
    return index;
  }

  private static int pipelineOf(List<Pipeline> pipelines, int column, Boundary boundary) {
    for (int i = 0; i < pipelines.size(); i++) {
      if (pipelines.get(i).column() == column && pipelines.get(i).boundary().equals(boundary)) {
        return i;
      }
    }
    pipelines.add(new Pipeline(column, boundary, new ArrayList<>()));
    return pipelines.size() - 1;
  }

  /**
   * Returns this plan with further columns, which no pipeline reads: they travel with the chunks.
   */
  public StagePlan withColumns(List<Column> more) {
    List<Column> all = new ArrayList<>(columns);
    all.addAll(more);
    return new StagePlan(all, pipelines, results, left, right);
  }

  /**
   * Returns the cells that a run of a series must have at least, so that its neighbour's halo lies
   * in it and the boundary rules can be followed from it.
   */
  public int reach() {
    return Math.max(left, right) + 1;
  }

  /** Tells whether cells beside a series may come from its other end. */
  public boolean wraps() {
    return pipelines.stream().anyMatch(p -> p.boundary().mode() == Boundary.Mode.WRAP);
  }
}
