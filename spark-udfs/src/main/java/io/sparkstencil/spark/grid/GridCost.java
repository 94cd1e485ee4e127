/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.grid.ExchangeCost;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.spark.SparkContext;

/** Chooses the blocks of a grid, and the steps between exchanges, by what the cluster has. */
final class GridCost {
  private static final String GPUS = "spark.executor.resource.gpu.amount";

  private final StencilProgram program;
  private final List<Long> sizes;
  private final ElementType type;
  private final StepReach reach;
  private final ExchangeCost cost;
  private final int slots;

  /**
   * Looks at a cluster.
   *
   * @param conf names the engine
   */
  GridCost(
      StencilProgram program,
      List<Long> sizes,
      ElementType type,
      SparkContext spark,
      StencilConf conf) {
    this.program = program;
    this.sizes = sizes;
    this.type = type;
    reach = StepReach.of(program);
    int executors = BlockBytes.executors(spark).size();
    Optional<ProgramEngineProvider> gpu = gpu(spark, conf.get(StencilOptions.ENGINE));
    if (gpu.isPresent()) {
      Exchange exchange = executors == 1 ? Exchange.ON_GPU : Exchange.BY_JOBS;
      int atOnce = gpu.get().stepsAtOnce(program, type, extent());
      cost = ExchangeCost.ofGpus(program, type, exchange, atOnce);
      slots = executors;
    } else {
      Exchange exchange = executors == 1 ? Exchange.ON_HEAP : Exchange.BY_JOBS;
      cost = ExchangeCost.ofCores(program, type, exchange);
      slots = Math.max(1, spark.defaultParallelism());
    }
  }

  /** Returns the engine for GPUs, if steps are probably taken by it. */
  private static Optional<ProgramEngineProvider> gpu(SparkContext spark, String engine) {
    boolean asked = engine.equals(Engines.GPU);
    if (!asked && !engine.equals(Engines.AUTO)) {
      return Optional.empty();
    }
    boolean given = spark.conf().getInt(GPUS, 0) > 0;
    return ProgramEngines.discover().stream()
        .filter(each -> each.name().equals(Engines.GPU))
        .filter(each -> asked || given || (spark.isLocal() && each.unavailableReason().isEmpty()))
        .findFirst();
  }

  /** Returns the cells of the grid along each axis, or as many as an array can have. */
  private Extent extent() {
    long longest = 1L << (30 / sizes.size());
    return new Extent(sizes.stream().map(size -> (int) Math.min(size, longest)).toList());
  }

  /** Returns the blocks with which steps are the fastest. */
  GridBlocks blocks() {
    return cost.blocks(sizes, reach, slots, program.fields().size(), type);
  }

  /** Returns the steps per exchange that are the fastest with some blocks. */
  int steps(GridBlocks blocks) {
    return cost.steps(blocks, reach, program.updates().size(), type);
  }

  /** Returns a table of what steps are expected to take with some blocks. */
  String table(GridBlocks blocks, int chosen) {
    StringBuilder text = new StringBuilder("expected milliseconds per step of the grid:");
    text.append("\n  steps per exchange   exchange      steps   together");
    for (int steps : new TreeSet<>(List.of(1, Math.max(1, chosen / 2), chosen, 2 * chosen))) {
      ExchangeCost.Expected each =
          cost.expected(blocks, reach, steps, program.updates().size(), type);
      text.append(
          "\n  %18d %10.4g %10.4g %10.4g%s"
              .formatted(
                  steps,
                  1e3 * each.exchangeSeconds(),
                  1e3 * each.stepSeconds(),
                  1e3 * each.seconds(),
                  steps == chosen ? "  *" : ""));
    }
    return text.toString();
  }
}
