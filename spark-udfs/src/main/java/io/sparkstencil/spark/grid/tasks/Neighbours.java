/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.HaloPlan;
import java.util.List;

/**
 * The neighbours of a block.
 *
 * @param sources the blocks whose cells its halo has
 * @param targets the blocks whose halos have its cells
 */
record Neighbours(List<Integer> sources, List<Integer> targets) {
  static Neighbours of(HaloPlan plan, int block) {
    return new Neighbours(plan.extended(block).sources(), plan.targets(block));
  }
}
