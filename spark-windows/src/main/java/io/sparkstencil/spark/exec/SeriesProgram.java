/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.programs.ProgramBatch;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.List;

/**
 * A program over a series of rows. A part of the series is computed together with the cells beside
 * it that its results depend on after all steps; their own results are not used. Where the series
 * ends, the program's boundary holds in every step.
 *
 * @param operation the program, of one dimension, and how often it is applied
 * @param halo the cells on each side on which a result depends
 */
public record SeriesProgram(ProgramOperation operation, int halo) implements ColumnOperation {
  /** The most cells beside a part that its results may depend on: tasks keep and send them. */
  public static final int MAX_HALO = 1 << 20;

  /** Checks that the halo is the operation's. */
  public SeriesProgram {
    requireNonNull(operation, "operation is null");
    if (halo < 0 || halo > MAX_HALO) {
      throw new IllegalArgumentException("a halo of %d cells".formatted(halo));
    }
  }

  /**
   * Takes a program.
   *
   * @throws InvalidStencilException if parts of a series cannot be computed one by one: the program
   *     has several axes, reads positions, wraps some of its fields only, or reaches too far
   */
  public SeriesProgram(ProgramOperation operation) {
    this(operation, haloOf(requireNonNull(operation, "operation is null")));
  }

  private static int haloOf(ProgramOperation operation) {
    StencilProgram program = operation.program();
    if (program.dimensions() != 1) {
      throw new InvalidStencilException(
          "the program has the axes %s, but rows have one order; write distances along one axis, as in u[-1]"
              .formatted(program.axes()));
    }
    if (program.nodes().stream().anyMatch(Node.Coordinate.class::isInstance)) {
      throw new InvalidStencilException(
          "the program reads the position %s, which is known in arrays only; collect the rows to arrays for stencil_expr"
              .formatted(program.axes().get(0)));
    }
    List<FieldBoundary> boundaries = program.boundaries();
    if (boundaries.stream().map(SeriesProgram::wraps).distinct().count() > 1) {
      throw new InvalidStencilException(
          "the boundary %s wraps some of the fields %s only; use wrap for all of them or for none"
              .formatted(BoundaryText.format(program), program.fields()));
    }
    long halo = (long) reach(program) * operation.steps();
    if (halo > MAX_HALO) {
      throw new InvalidStencilException(
          "%d steps of a program that reaches %d cells need %d cells beside each part of a series, more than %d; apply fewer steps at a time, to the results of those before"
              .formatted(operation.steps(), reach(program), halo, MAX_HALO));
    }
    return (int) halo;
  }

  private static boolean wraps(FieldBoundary boundary) {
    return boundary.low().get(0).mode() == Boundary.Mode.WRAP;
  }

  /**
   * Returns how far a step reads to either side. Stages add up; a cell beyond an end is a copy of
   * one that is at most as far on the other side.
   */
  private static int reach(StencilProgram program) {
    ProgramTraits traits = ProgramTraits.of(program);
    int reach = 0;
    for (Stage stage : traits.stages()) {
      int furthest = 0;
      for (int node : stage.order()) {
        if (traits.program().nodes().get(node) instanceof Node.Tap tap) {
          furthest = Math.max(furthest, Math.abs(tap.offset().get(0)));
        }
      }
      reach += furthest;
    }
    return reach;
  }

  /** Programs compute with floating-point cells: with float where the values are. */
  @Override
  public ElementType stagedFor(CellKind kind) {
    return kind == CellKind.FLOAT ? ElementType.F32 : ElementType.F64;
  }

  @Override
  public CellKind resultOf(CellKind kind) {
    return CellKind.of(stagedFor(kind));
  }

  /** Cells beyond an end are left to the program, except for those of the other end. */
  @Override
  public Boundary beside() {
    return wraps(operation.program().boundaries().get(0)) ? Boundary.WRAP : Boundary.SHRINK;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public String name() {
    return "stencil_expr";
  }

  @Override
  public void requireKind(CellKind kind) {
    // every kind of number becomes a floating-point cell
  }

  /** Adds a part of a series and what lies beside it to a batch. */
  ProgramBatch.Entry add(Segment<?> segment, ProgramBatch batch) {
    int before = beside(segment.left(), halo);
    int after = beside(segment.right(), halo);
    int length = segment.length();
    ProgramBatch.Entry entry = batch.add(Extent.of(before + length + after));
    if (before > 0) {
      copy(segment.left().source(), segment.left().length() - before, before, entry, 0);
    }
    copy(segment.source().onHeap(), 0, length, entry, before);
    if (after > 0) {
      copy(segment.right().source(), 0, after, entry, before + length);
    }
    return entry;
  }

  /** Copies the results of a part of a series, which the segment keeps, out of a batch. */
  void take(ProgramBatch.Entry entry, Segment<?> segment, ElementType type) {
    int length = segment.length();
    int from = entry.at() + beside(segment.left(), halo);
    System.arraycopy(entry.cells(0), from, segment.result(0, type), 0, length);
    float[] missing = entry.missing(0);
    if (missing != null) {
      byte[] validity = new byte[length];
      for (int i = 0; i < length; i++) {
        validity[i] = (byte) (missing[from + i] > 0 ? 0 : 1);
      }
      segment.setResultValidity(0, validity);
    }
  }

  /** Returns the cells of a halo that are in the series and that results depend on. */
  private static int beside(Halo halo, int most) {
    return halo == null ? 0 : Math.min(most, halo.length() - halo.missing());
  }

  private static void copy(HeapCells from, int first, int count, ProgramBatch.Entry entry, int at) {
    System.arraycopy(from.array(), from.from() + first, entry.cells(0), entry.at() + at, count);
    for (int i = 0; from.validity() != null && i < count; i++) {
      if (from.validity()[from.from() + first + i] == 0) {
        entry.setMissing(0, at + i);
      }
    }
  }

  @Override
  public String toString() {
    return operation.toString();
  }
}
