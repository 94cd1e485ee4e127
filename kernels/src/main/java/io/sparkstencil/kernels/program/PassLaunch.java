/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.program.plan.Stored;
import java.util.ArrayList;
import java.util.List;

/** The launch of a kernel of several steps, all of whose arguments but the parameters are known. */
final class PassLaunch {
  private final LoadedKernel kernel;
  private final LaunchShape shape;
  private final long[] arguments;
  private final int parametersAt;

  /**
   * Prepares the launch from some arrays to others, one of each per field.
   *
   * @param launch the blocks and numbers of the kernel
   * @param parameters the parameters of a step
   */
  PassLaunch(
      FusedKernel kernel,
      LoadedKernel loaded,
      FusedKernel.Launch launch,
      List<Stored> from,
      List<Stored> to,
      int parameters) {
    this.kernel = loaded;
    GeneratedKernel text = loaded.generated();
    shape =
        new LaunchShape(
            launch.blocks(), launch.blocksY(), text.threadsPerBlock(), text.dynamicSharedBytes());
    List<Long> known = new ArrayList<>();
    kernel.inputs().forEach(field -> known.add(from.get(field).address()));
    kernel.outputs().forEach(field -> known.add(to.get(field).address()));
    launch.numbers().forEach(number -> known.add((long) number));
    parametersAt = known.size();
    arguments = new long[known.size() + kernel.steps() * parameters];
    for (int i = 0; i < parametersAt; i++) {
      arguments[i] = known.get(i);
    }
  }

  /**
   * Launches the kernel.
   *
   * @param scalars the parameters of each step
   */
  void launch(CudaStream stream, List<long[]> scalars) {
    int at = parametersAt;
    for (long[] ofStep : scalars) {
      System.arraycopy(ofStep, 0, arguments, at, ofStep.length);
      at += ofStep.length;
    }
    kernel.function().launch(stream, shape, arguments);
  }
}
