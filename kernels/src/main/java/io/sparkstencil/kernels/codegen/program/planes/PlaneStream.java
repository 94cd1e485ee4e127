/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Optional;

/**
 * Several steps of a three-dimensional program. A block owns a tile of columns and rows and streams
 * along the planes. Each stage of each step is a level that computes a plane when the planes that
 * it reads are there, so that after the first planes, one plane leaves for each that arrives. The
 * planes that are still needed stay in the registers of the threads that own their cells. One
 * barrier per plane serves all levels.
 */
public final class PlaneStream implements FusedKernel {
  /** Fewer planes than this many times those that only fill a block are left to other kernels. */
  private static final int WORTHWHILE = 2;

  private final PlanePlan plan;
  private final PlaneShape shape;
  private final ElementType type;
  private final PlaneMemory memory;
  private final PlaneMargins margins;
  private final PlaneCost cost;

  PlaneStream(ProgramTraits traits, ElementType type, PlaneShape shape) {
    this(new PlanePlan(traits, shape.steps()), type, shape);
  }

  PlaneStream(PlanePlan plan, ElementType type, PlaneShape shape) {
    this.plan = plan;
    this.shape = shape;
    this.type = type;
    memory = new PlaneMemory(plan, shape, type);
    margins = PlaneMargins.of(plan, memory, shape.cells());
    cost = new PlaneCost(plan, shape, memory, type);
  }

  @Override
  public int steps() {
    return shape.steps();
  }

  @Override
  public List<Integer> inputs() {
    return plan.inputs();
  }

  @Override
  public List<Integer> outputs() {
    return List.copyOf(plan.outputs().keySet());
  }

  @Override
  public GeneratedKernel generate() {
    return new PlaneWriter(plan, shape, memory, margins, type).write();
  }

  /** Returns the columns of results of a tile. */
  int validColumns() {
    return shape.columns() - margins.left() - margins.right();
  }

  /** Returns the rows of results of a tile. */
  int validRows() {
    return shape.tileRows() - margins.above() - margins.below();
  }

  PlaneShape shape() {
    return shape;
  }

  PlaneCost cost() {
    return cost;
  }

  int sharedBytes() {
    return memory.bytes();
  }

  @Override
  public Optional<Span> results(Layout layout) {
    int above = 0;
    int below = 0;
    int left = 0;
    int right = 0;
    for (PlaneMemory.Ring ring : memory.rings().values()) {
      above = Math.max(above, ring.above());
      below = Math.max(below, ring.below());
      left = Math.max(left, ring.left());
      right = Math.max(right, ring.right());
    }
    int columns = layout.sizes().get(2) / shape.cells() * shape.cells();
    Span span =
        new Span(
            List.of(
                margins.before(), margins.above() + above, margins.left() + left * shape.cells()),
            List.of(
                layout.sizes().get(0) - margins.after(),
                layout.sizes().get(1) - margins.below() - below,
                columns - margins.right() - right * shape.cells()));
    boolean fits =
        validColumns() > 0
            && validRows() > 0
            && span.high().get(2) - span.low().get(2) >= validColumns()
            && span.high().get(1) - span.low().get(1) >= validRows()
            && span.high().get(0) - span.low().get(0) >= WORTHWHILE * fillingPlanes();
    return fits ? Optional.of(span) : Optional.empty();
  }

  private int fillingPlanes() {
    return margins.before() + plan.longestLag() + 1;
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    int across = tiles(results, 2, validColumns());
    int tiles = across * tiles(results, 1, validRows());
    int planes = results.high().get(0) - results.low().get(0);
    int perBlock = planes;
    long best = Long.MAX_VALUE;
    for (int parts = 1; parts <= Math.max(1, planes / fillingPlanes()); parts++) {
      int length = (planes + parts - 1) / parts;
      long waves = ((long) tiles * parts + resident - 1) / resident;
      long time = waves * (length + fillingPlanes());
      if (time < best) {
        best = time;
        perBlock = length;
      }
    }
    return new Launch(
        tiles,
        (planes + perBlock - 1) / perBlock,
        List.of(
            layout.pitch(),
            layout.sizes().get(1),
            results.low().get(2),
            results.low().get(1),
            results.low().get(0),
            results.high().get(2) - validColumns(),
            results.high().get(1) - validRows(),
            results.high().get(0),
            across,
            perBlock));
  }

  private static int tiles(Span results, int axis, int valid) {
    int cells = results.high().get(axis) - results.low().get(axis);
    return (cells + valid - 1) / valid;
  }

  @Override
  public String toString() {
    return "planes " + shape;
  }
}
