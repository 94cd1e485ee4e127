/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.program.plan.Slab;
import io.sparkstencil.kernels.program.plan.SlabGeometry;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.kernels.program.plan.Stored;
import java.util.List;

/** One step of whole fields, stage by stage. */
final class WholePass implements Pass {
  private final StageLaunches launches;

  /** Prepares a step from some arrays to others, one of each per field. */
  WholePass(
      ProgramDevice device,
      ProgramLane lane,
      StageKernels kernels,
      long boundaries,
      List<Stored> from,
      List<Stored> to) {
    Stages stages = kernels.stages();
    SlabGeometry geometry = stages.geometry(stages.all(), 1);
    Slab slab = new Slab(stages, geometry, 1, from, null, List.of(), to);
    launches = new StageLaunches(device, lane.main(), kernels, List.of(slab), boundaries);
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public void launch(ProgramLane lane, List<long[]> scalars) {
    launches.launch(lane.main(), scalars);
  }

  @Override
  public void close() {
    launches.close();
  }
}
