/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExchangeCost;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Collections;
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
  private static final int BLOCKS = 8;

  /** The part of a link's bits that carry cells. */
  static final double USED = 0.9;

  /**
   * Hosts with GPUs, and what joins them.
   *
   * @param gpus those of a host
   * @param gigabits of its link a second, each way
   */
  record Hosts(int gpus, double gigabits) {
    /** Returns the bytes that a GPU may give to other hosts in a second, if all do at once. */
    double bytesPerGpu() {
      return USED * gigabits * 1e9 / Byte.SIZE / gpus;
    }
  }

  /**
   * A grid that was measured.
   *
   * @param gpus that share it
   * @param exchange of blocks on different GPUs
   * @param steps per exchange
   */
  record Measured(GridBlocks blocks, int gpus, Exchange exchange, int steps) {
    double cells() {
      return blocks.sizes().stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    }
  }

  /** Returns the projection of a grid of heat with 2^31 cells for each GPU. */
  static WeakProjection of(int dimensions, ElementType type) {
    StencilProgram program = GridCase.of(dimensions, type, 1).program();
    List<Long> sizes = WeakProblem.sizes(dimensions, 1L << 31);
    return new WeakProjection(
        program,
        type,
        GridBlocks.cut(sizes, BLOCKS, StepReach.of(program)),
        stepsAtOnce(program, type, dimensions));
  }

  /** Returns the steps that a kernel takes on the GPU that costs were measured on. */
  private static int stepsAtOnce(StencilProgram program, ElementType type, int dimensions) {
    Extent large = new Extent(Collections.nCopies(dimensions, 1 << (30 / dimensions)));
    return ProgramEngines.discover().stream()
        .filter(each -> each.name().equals(Engines.GPU))
        .findFirst()
        .orElseThrow()
        .stepsAtOnce(program, type, large);
  }

  /** Returns the exchange of blocks on some GPUs of one executor, or on one GPU. */
  static Exchange together(int gpus) {
    return gpus == 1 ? Exchange.ON_GPU : Exchange.BETWEEN_GPUS;
  }

  /** Returns the sizes of a grid that is longer along its slowest axis, for more GPUs. */
  static List<Long> sizes(List<Long> perGpu, int gpus) {
    return sizes(perGpu, List.of(gpus));
  }

  /** Returns the sizes of a grid that is longer along some axes, the first ones. */
  static List<Long> sizes(List<Long> perGpu, List<Integer> gpusPerAxis) {
    List<Long> sizes = new ArrayList<>(perGpu);
    for (int axis = 0; axis < gpusPerAxis.size(); axis++) {
      sizes.set(axis, sizes.get(axis) * gpusPerAxis.get(axis));
    }
    return sizes;
  }

  private StepReach reach() {
    return StepReach.of(program);
  }

  private ExchangeCost cost(GridBlocks blocks, double farShare, Exchange exchange, int gpus) {
    double turns = Math.ceil((double) blocks.count() / gpus);
    return ExchangeCost.ofGpus(program, type, exchange, stepsAtOnce)
        .among(gpus)
        .inTurns(farShare, Exchange.ON_GPU, turns);
  }

  private double stepSeconds(ExchangeCost cost, GridBlocks blocks, int steps) {
    int fields = program.updates().size();
    return cost.turns().count() * cost.expected(blocks, reach(), steps, fields, type).seconds();
  }

  private double fastest(ExchangeCost cost, GridBlocks blocks) {
    int fields = program.updates().size();
    return stepSeconds(cost, blocks, cost.steps(blocks, reach(), fields, type));
  }

  /** Returns the seconds of a step of blocks on some GPUs, with some steps per exchange. */
  double stepSeconds(GridBlocks blocks, int gpus, Exchange exchange, int steps) {
    double farShare = new BlockHalves(blocks, gpus).farShare(reach());
    return stepSeconds(cost(blocks, farShare, exchange, gpus), blocks, steps);
  }

  /** Returns how many times as many cells a grid was to step at a time as another. */
  double speedup(Measured one, Measured run) {
    return run.cells() / one.cells() * seconds(one) / seconds(run);
  }

  private double seconds(Measured grid) {
    return stepSeconds(grid.blocks(), grid.gpus(), grid.exchange(), grid.steps());
  }

  /** Returns the seconds of a step, with as many steps per exchange as are the fastest. */
  double stepSeconds(int gpus, Exchange exchange) {
    GridBlocks blocks = new GridBlocks(sizes(perGpu.sizes(), gpus), perGpu.blockSizes());
    double farShare = new BlockHalves(blocks, gpus).farShare(reach());
    return fastest(cost(blocks, farShare, exchange, gpus), blocks);
  }

  /** Returns how many times as many cells some GPUs step at a time as one does. */
  double speedup(int gpus, Exchange exchange) {
    return gpus * stepSeconds(1, together(1)) / stepSeconds(gpus, exchange);
  }

  /**
   * Returns how many times as many cells GPUs of several hosts step at a time as one does. What
   * leaves a host shares its link; no GPU pushes faster than was measured.
   *
   * @param gpusPerAxis how many times as long the grid is along its first axes
   */
  double speedup(List<Integer> gpusPerAxis, Hosts hosts) {
    int gpus = gpusPerAxis.stream().reduce(1, (a, b) -> a * b);
    GridBlocks blocks = new GridBlocks(sizes(perGpu.sizes(), gpusPerAxis), perGpu.blockSizes());
    int count = Math.max(1, gpus / hosts.gpus());
    Exchange exchange = Exchange.SHARED;
    double farShare = new BlockHalves(blocks, gpus).farShare(reach());
    if (count > 1) {
      double hostShare = new BlockHalves(blocks, count).farShare(reach());
      Exchange pushed = Exchange.OF_GPUS_PUSHED;
      double rate = Math.min(hosts.bytesPerGpu(), pushed.bytesPerSecond() * hostShare / farShare);
      exchange =
          new Exchange(pushed.superstepSeconds(), pushed.faceSeconds(), rate, pushed.overlaps());
      farShare = hostShare;
    }
    return gpus
        * stepSeconds(1, together(1))
        / fastest(cost(blocks, farShare, exchange, gpus), blocks);
  }
}
