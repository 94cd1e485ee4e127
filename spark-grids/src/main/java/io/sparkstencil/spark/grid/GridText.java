/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.grid.runs.GridSpace;
import java.util.List;
import java.util.stream.Collectors;

/** Says in words what a grid is and does. */
final class GridText {
  private GridText() {}

  /**
   * Returns some lines.
   *
   * @param locations the executors of the blocks; none if they are nowhere
   */
  static String explain(GridSpace space, long steps, GridMetrics metrics, List<String> locations) {
    FacePlan plan = space.grid().plan();
    ExtendedBlock first = plan.extended(0);
    String decoded =
        space.decodings().entrySet().stream()
            .map(each -> "\nfirst cells of %s: %s".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining());
    return String.join(
        "\n",
        "grid of %s cells of %s, %d steps taken"
            .formatted(plan.blocks().sizes(), plan.type(), steps),
        "program " + space.grid().program() + decoded,
        "%d blocks of %s cells, %s along the axes"
            .formatted(plan.blocks().count(), plan.blocks().blockSizes(), plan.blocks().parts()),
        "%d steps per exchange; block 0 with its halo has %s cells, those of blocks %s"
            .formatted(plan.steps(), first.extended().extent().sizes(), first.givers()),
        space.expectation(),
        "on " + (locations.isEmpty() ? "no executor yet" : String.join(", ", locations)),
        "%d bytes of blocks stay on GPUs, %d wait on disk; others are on the heap"
            .formatted(metrics.deviceBytes(), metrics.diskBytes()),
        "%d jobs, %d supersteps of blocks by %s: %.3f s of tasks for steps, %.3f s for %d bytes of faces"
            .formatted(
                metrics.jobs(),
                metrics.supersteps(),
                metrics.engines(),
                metrics.stepSeconds(),
                metrics.exchangeSeconds(),
                metrics.faceBytes()),
        "time: " + metrics.times().text(),
        "faces that have come by each way: " + metrics.faces(),
        "the log of faces has put %d bytes into block managers, for which tasks have waited %.3f s; GPUs keep %d bytes of it"
            .formatted(metrics.logBytes(), metrics.logSeconds(), metrics.deviceLogBytes()),
        "%d supersteps replayed by blocks %s, %d repairs, %d checkpoints"
            .formatted(
                metrics.replayedSupersteps(),
                metrics.replayedBlocks(),
                metrics.repairs(),
                metrics.checkpoints()));
  }
}
