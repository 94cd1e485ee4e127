/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExchangeCost;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.List;

/**
 * How a grid that grows with the number of GPUs is expected to fare, by the costs that its steps
 * per exchange are chosen by.
 *
 * @param program what a step computes
 * @param type of the cells
 * @param perGpu the blocks of the grid that one GPU has
 * @param stepsAtOnce the steps that a kernel takes
 */
record WeakProjection(
    StencilProgram program, ElementType type, GridBlocks perGpu, int stepsAtOnce) {
  /** Returns the exchange of blocks on some GPUs of one executor, or on one GPU. */
  static Exchange together(int gpus) {
    return gpus == 1 ? Exchange.ON_GPU : Exchange.BETWEEN_GPUS;
  }

  /** Returns the sizes of a grid that is longer along its slowest axis, for more GPUs. */
  static List<Long> sizes(List<Long> perGpu, int gpus) {
    List<Long> sizes = new ArrayList<>(perGpu);
    sizes.set(0, sizes.get(0) * gpus);
    return sizes;
  }

  /** Returns the seconds of a step, with as many steps per exchange as are the fastest. */
  double stepSeconds(int gpus, Exchange exchange) {
    GridBlocks blocks = new GridBlocks(sizes(perGpu.sizes(), gpus), perGpu.blockSizes());
    StepReach reach = StepReach.of(program);
    double turns = (double) blocks.count() / gpus;
    ExchangeCost cost =
        ExchangeCost.ofGpus(program, type, exchange, stepsAtOnce)
            .inTurns(new BlockHalves(blocks, gpus).farShare(reach), Exchange.ON_GPU);
    int steps = cost.steps(blocks, reach, 1, type);
    return turns * cost.expected(blocks, reach, steps, 1, type).seconds();
  }

  /** Returns how many times as many cells some GPUs step at a time as one does. */
  double speedup(int gpus, Exchange exchange) {
    return gpus * stepSeconds(1, together(1)) / stepSeconds(gpus, exchange);
  }
}
