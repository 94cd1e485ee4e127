/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.program.plan.FusedPlan;
import io.sparkstencil.kernels.program.plan.Stored;
import java.util.List;

/**
 * Several steps of whole fields: a kernel computes the inside, while others take the steps of the
 * cells along the ends on the other stream of the lane.
 */
final class FusedPass implements Pass {
  private final FusedPlan plan;
  private final PassLaunch inside;
  private final StageLaunches slabs; // or null

  /**
   * Prepares a pass from some arrays to others, one of each per field.
   *
   * @param layout how the arrays lie in memory
   * @param scratch the address of the scratch memory of the plan
   */
  FusedPass(
      ProgramDevice device,
      ProgramLane lane,
      StageKernels kernels,
      PassChoice.Loaded loaded,
      FusedKernel.Layout layout,
      long boundaries,
      long scratch,
      List<Stored> from,
      List<Stored> to) {
    plan = loaded.plan();
    int parameters = kernels.stages().traits().program().parameters().size();
    int resident = loaded.kernel().residentBlocks(device.context());
    FusedKernel.Launch launch = plan.kernel().launch(layout, plan.inside(), resident);
    inside = new PassLaunch(plan.kernel(), loaded.kernel(), launch, from, to, parameters);
    slabs =
        plan.slabs().isEmpty()
            ? null
            : new StageLaunches(
                device,
                lane.main(),
                kernels,
                plan.slabs(kernels.stages(), scratch, from, to),
                boundaries);
  }

  @Override
  public int steps() {
    return plan.steps();
  }

  @Override
  public void launch(ProgramLane lane, List<long[]> scalars) {
    lane.fork();
    // The kernel comes first: it fills the device, and slabs take the room that its last
    // blocks leave. Before it, each step of slabs would wait for blocks to end.
    inside.launch(lane.main(), scalars);
    if (slabs != null) {
      slabs.launch(lane.side(), scalars);
    }
    lane.join();
  }

  @Override
  public void close() {
    if (slabs != null) {
      slabs.close();
    }
  }
}
