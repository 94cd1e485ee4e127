/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import java.util.List;
import java.util.Optional;

/**
 * Several steps of a three-dimensional program. A block owns a tile of columns and rows and streams
 * along the planes. Each stage of each step is a level that computes a plane when the planes that
 * it reads are there, so that after the first planes, one plane leaves for each that arrives. The
 * planes that are still needed stay in the registers of the threads that own their cells. One
 * barrier per plane serves all levels. The boundary is held along the rows and the columns where
 * threads have what it copies, but not along the planes.
 */
public final class PlaneStream implements FusedKernel {
  /** Fewer planes than this many times those that only fill a block are left to other kernels. */
  private static final int WORTHWHILE = 2;

  private final PlaneTile tile;
  private final PlanePlan plan;
  private final PlaneShape shape;
  private final PlaneMargins margins;
  private final PlaneCost cost;

  PlaneStream(PlaneTile tile) {
    this.tile = tile;
    plan = tile.plan();
    shape = tile.shape();
    margins = tile.margins();
    cost = new PlaneCost(tile);
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
    return new PlaneWriter(tile).write();
  }

  PlaneTile tile() {
    return tile;
  }

  PlaneShape shape() {
    return shape;
  }

  PlaneCost cost() {
    return cost;
  }

  @Override
  public Optional<Span> results(Layout layout) {
    Span span =
        new Span(
            List.of(margins.before(), tile.low(1), tile.low(2)),
            List.of(
                layout.sizes().get(0) - margins.after(),
                tile.high(layout, 1),
                tile.high(layout, 2)));
    int planes = span.high().get(0) - span.low().get(0);
    boolean fits =
        tile.fits(layout, 1) && tile.fits(layout, 2) && planes >= WORTHWHILE * fillingPlanes();
    return fits ? Optional.of(span) : Optional.empty();
  }

  private int fillingPlanes() {
    return margins.before() + plan.longestLag() + 1;
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    int across = tile.tiles(layout, results, 2);
    int tiles = across * tile.tiles(layout, results, 1);
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
            tile.first(results, 2),
            tile.first(results, 1),
            results.low().get(0),
            tile.last(layout, results, 2),
            tile.last(layout, results, 1),
            results.high().get(0),
            across,
            perBlock));
  }

  @Override
  public String toString() {
    return "planes " + shape + (tile.ends().any() ? ", " + tile.ends() : "");
  }
}
