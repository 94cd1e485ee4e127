/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.program.plan.FusedPlan;
import io.sparkstencil.kernels.program.plan.Stored;
import java.util.ArrayList;
import java.util.List;

/**
 * Several steps of whole fields: a kernel computes the inside, while slabs along the ends take
 * their steps on the other stream of the lane.
 */
final class FusedPass implements Pass {
  private final FusedPlan plan;
  private final LoadedKernel kernel;
  private final StageLaunches slabs; // or null
  private final LaunchShape shape;
  private final long[] arguments;
  private final int parametersAt;

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
    kernel = loaded.kernel();
    GeneratedKernel text = kernel.generated();
    int resident =
        device.context().traits().multiprocessors()
            * kernel
                .function()
                .blocksPerMultiprocessor(text.threadsPerBlock(), text.dynamicSharedBytes());
    FusedKernel.Launch launch = plan.kernel().launch(layout, plan.inside(), resident);
    shape =
        new LaunchShape(
            launch.blocks(), launch.blocksY(), text.threadsPerBlock(), text.dynamicSharedBytes());
    List<Long> known = new ArrayList<>();
    plan.kernel().inputs().forEach(field -> known.add(from.get(field).address()));
    plan.kernel().outputs().forEach(field -> known.add(to.get(field).address()));
    launch.numbers().forEach(number -> known.add((long) number));
    parametersAt = known.size();
    int parameters = kernels.stages().traits().program().parameters().size();
    arguments = new long[known.size() + plan.steps() * parameters];
    for (int i = 0; i < parametersAt; i++) {
      arguments[i] = known.get(i);
    }
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
    int at = parametersAt;
    for (long[] ofStep : scalars) {
      System.arraycopy(ofStep, 0, arguments, at, ofStep.length);
      at += ofStep.length;
    }
    lane.fork();
    // The kernel comes first: it fills the device, and slabs take the room that its last blocks
    // leave. Before it, each of their steps would wait for blocks to end.
    kernel.function().launch(lane.main(), shape, arguments);
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
