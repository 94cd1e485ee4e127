/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.ShortSeries;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the stencils of a query are staged as: each value column once per element type, each staged
 * column once per boundary rule.
 *
 * @param columns the staged columns
 * @param pipelines one for each staged column and boundary rule, and one for each program
 * @param results where the result of each call is found
 * @param left cells that the widest frame needs before a row
 * @param right cells that the widest frame needs after a row
 */
public record StagePlan(
    List<Column> columns, List<Pipeline> pipelines, List<Result> results, int left, int right)
    implements Serializable {

  /**
   * One operation on one column of a query.
   *
   * @param column index among the value columns that the query reads
   * @param kind the type of that column
   * @param operation what is computed
   */
  public record Call(int column, CellKind kind, ColumnOperation operation) {
    /** Describes a stencil. */
    public Call(int column, CellKind kind, Stencil stencil, SumOverflow overflow) {
      this(column, kind, new FrameOperation(stencil, overflow));
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

  /** What runs over one staged column with the same cells beside it. */
  public sealed interface Pipeline extends Serializable {
    /** Returns the index in {@link StagePlan#columns()}. */
    int column();

    /** Returns the rule for cells outside a series. */
    Boundary boundary();

    /** Returns the stencils that run together; none for a program. */
    List<StencilSpec> specs();

    /**
     * Returns the frame of all cells on which results depend.
     *
     * @param longest the cells of the longest series, or {@code ShortSeries.ANY_LENGTH}
     */
    Frame frame(int longest);
  }

  /**
   * Stencils over one staged column under one boundary rule, which become one {@code Staging}.
   *
   * @param column index in {@link #columns()}
   * @param boundary the rule
   * @param specs what runs
   */
  public record Frames(int column, Boundary boundary, List<StencilSpec> specs) implements Pipeline {
    @Override
    public Frame frame(int longest) {
      int left = 0;
      int right = 0;
      for (StencilSpec spec : specs) {
        Frame frame = spec.withinSeriesOf(longest).frame();
        left = Math.max(left, frame.left());
        right = Math.max(right, frame.right());
      }
      return Frame.offsets(-left, right);
    }
  }

  /**
   * A program over one staged column.
   *
   * @param column index in {@link #columns()}
   * @param program what runs
   */
  public record Program(int column, SeriesProgram program) implements Pipeline {
    @Override
    public Boundary boundary() {
      return program.beside();
    }

    @Override
    public List<StencilSpec> specs() {
      return List.of();
    }

    @Override
    public Frame frame(int longest) {
      return Frame.radius(
          program.wraps() ? program.halo() : Math.min(program.halo(), Math.max(0, longest)));
    }
  }

  /**
   * Where a result is found.
   *
   * @param pipeline index in {@link #pipelines()}
   * @param spec index among the specs of that pipeline; 0 for a program
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
      ElementType type = call.operation().stagedFor(call.kind());
      int column = indexOf(columns, new Column(call.column(), call.kind(), type));
      CellKind kind = call.operation().resultOf(call.kind());
      if (call.operation() instanceof FrameOperation frames) {
        StencilSpec spec = frames.spec(call.kind());
        int pipeline = framesOf(pipelines, column, spec.boundary());
        int index = indexOf(pipelines.get(pipeline).specs(), spec);
        results.add(new Result(pipeline, index, kind, frames.overflowOf(call.kind())));
      } else if (call.operation() instanceof SeriesProgram program) {
        int pipeline = indexOf(pipelines, new Program(column, program));
        results.add(new Result(pipeline, 0, kind, SumOverflow.WRAP));
      }
    }
    for (Pipeline pipeline : pipelines) {
      Frame frame = pipeline.frame(ShortSeries.ANY_LENGTH);
      left = Math.max(left, frame.left());
      right = Math.max(right, frame.right());
    }
    return new StagePlan(columns, pipelines, results, left, right);
  }

  /** Plans one stencil over arrays of {@code type}. */
  public static StagePlan ofArrays(ElementType type, StencilSpec spec) {
    return new StagePlan(
        List.of(new Column(0, CellKind.of(type), spec.type())),
        List.of(new Frames(0, spec.boundary(), List.of(spec))),
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

  private static int framesOf(List<Pipeline> pipelines, int column, Boundary boundary) {
    for (int i = 0; i < pipelines.size(); i++) {
      if (pipelines.get(i) instanceof Frames frames
          && frames.column() == column
          && frames.boundary().equals(boundary)) {
        return i;
      }
    }
    pipelines.add(new Frames(column, boundary, new ArrayList<>()));
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

  /** Returns the programs, in the order of the pipelines. */
  public List<Program> programs() {
    return pipelines.stream().filter(Program.class::isInstance).map(Program.class::cast).toList();
  }

  /** Tells whether cells beside a series may come from its other end. */
  public boolean wraps() {
    return pipelines.stream().anyMatch(p -> p.boundary().mode() == Boundary.Mode.WRAP);
  }
}
