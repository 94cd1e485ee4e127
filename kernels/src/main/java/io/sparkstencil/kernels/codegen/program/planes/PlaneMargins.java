/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Use;
import io.sparkstencil.program.Update;
import java.util.HashMap;
import java.util.Map;

/**
 * How far the results of a tile are from its ends: cells nearer to an end depend on cells that the
 * tile has not got.
 *
 * @param before planes that arrive before the first plane of results
 * @param after planes that arrive after the last plane of results
 * @param above rows of the tile above the results
 * @param below rows of the tile below the results
 * @param left columns of the tile before the results, in whole lanes
 * @param right columns of the tile behind the results, in whole lanes
 */
record PlaneMargins(int before, int after, int above, int below, int left, int right) {
  /** What a plane of a source has lost: planes on both sides, rows and columns. */
  private record Loss(int before, int after, int above, int below, int left, int right) {
    private static final Loss NONE = new Loss(0, 0, 0, 0, 0, 0);

    /** Returns the loss of what reads this loss at a distance, and another one. */
    Loss join(Loss read, Use use) {
      return new Loss(
          Math.max(before, read.before - use.offset(0)),
          Math.max(after, read.after + use.offset(0)),
          Math.max(above, read.above - use.offset(1)),
          Math.max(below, read.below + use.offset(1)),
          Math.max(left, read.left - use.offset(2)),
          Math.max(right, read.right + use.offset(2)));
    }
  }

  static PlaneMargins of(PlanePlan plan, PlaneMemory memory, int cells) {
    int chunk = cells;
    Map<Source, Loss> losses = new HashMap<>();
    for (int field : plan.inputs()) {
      PlaneMemory.Ring ring = memory.rings().get(field);
      losses.put(
          new Source(PlanePlan.INPUT, field),
          new Loss(
              0, 0, -ring.above(), -ring.below(), -ring.left() * chunk, -ring.right() * chunk));
    }
    Loss all = Loss.NONE;
    for (Level level : plan.levels()) {
      Loss loss = Loss.NONE;
      for (Use use : plan.uses()) {
        if (use.level().index() == level.index()) {
          loss = loss.join(losses.get(use.source()), use);
        }
      }
      for (Update update : level.stage().updates()) {
        Source source = new Source(level.index(), update.field());
        losses.put(source, loss);
        if (plan.outputs().containsValue(source)) {
          all =
              new Loss(
                  Math.max(all.before, loss.before),
                  Math.max(all.after, loss.after),
                  Math.max(all.above, loss.above),
                  Math.max(all.below, loss.below),
                  Math.max(all.left, loss.left),
                  Math.max(all.right, loss.right));
        }
      }
    }
    return new PlaneMargins(
        all.before,
        all.after,
        all.above,
        all.below,
        (all.left + cells - 1) / cells * cells,
        (all.right + cells - 1) / cells * cells);
  }
}
