/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.KernelFunction;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.StepKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.program.ParameterValues;
import java.util.ArrayList;
import java.util.List;

/** The kernels of a program's stages on a device. */
final class StageKernels {
  private final Stages stages;
  private final List<ProgramKernelKey> keys = new ArrayList<>();
  private final HeldKernels held;

  /**
   * Prepares the kernels; each is compiled before it is launched the first time.
   *
   * @param digest that of the program, as its users wrote it
   * @param held keeps them loaded
   */
  StageKernels(Stages stages, String digest, HeldKernels held) {
    this.stages = stages;
    this.held = held;
    for (int s = 0; s < stages.count(); s++) {
      StepKernel kernel = stages.stage(s);
      keys.add(new ProgramKernelKey(digest, stages.type(), stages.label(s), kernel::generate));
    }
  }

  Stages stages() {
    return stages;
  }

  /** Returns the bits of the parameters in a step. */
  long[] scalars(ParameterValues parameters, long step) {
    long[] scalars = new long[stages.traits().program().parameters().size()];
    for (int i = 0; i < scalars.length; i++) {
      scalars[i] = PtxCells.bits(stages.type(), parameters.value(i, step));
    }
    return scalars;
  }

  /** Returns the kernel of a stage, compiled first if need be. */
  synchronized KernelFunction function(int stage) {
    return held.get(keys.get(stage)).function();
  }

  /**
   * Returns the arguments of launches of a stage; the last ones are for the parameters.
   *
   * @param jobs the address of the table of jobs
   * @param boundaries the address of the table of positions outside the fields
   */
  long[] arguments(long jobs, long boundaries) {
    List<Integer> sizes = stages.sizes();
    int parameters = stages.traits().program().parameters().size();
    long[] arguments = new long[2 + sizes.size() + parameters];
    arguments[0] = jobs;
    arguments[1] = boundaries;
    for (int axis = 0; axis < sizes.size(); axis++) {
      arguments[2 + axis] = sizes.get(axis);
    }
    return arguments;
  }
}
