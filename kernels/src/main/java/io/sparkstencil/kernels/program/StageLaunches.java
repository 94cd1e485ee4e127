/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.KernelFunction;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.program.StepJob;
import io.sparkstencil.kernels.codegen.program.StepKernel;
import io.sparkstencil.kernels.program.plan.Slab;
import io.sparkstencil.kernels.program.plan.Stages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches of all stages of some slabs that take their steps together. The tables of their jobs
 * are in device memory, which this owns.
 */
final class StageLaunches implements AutoCloseable {
  private final StageKernels kernels;
  private final long boundaries;
  private final CloseScope owned = new CloseScope();
  private final List<Launch> launches = new ArrayList<>();

  /** A launch, all of whose arguments but the parameters are known. */
  private static final class Launch {
    private final int step;
    private final KernelFunction function;
    private final LaunchShape shape;
    private final int tableOffset;
    private long[] arguments;

    Launch(int step, KernelFunction function, LaunchShape shape, int tableOffset) {
      this.step = step;
      this.function = function;
      this.shape = shape;
      this.tableOffset = tableOffset;
    }
  }

  /**
   * Copies the tables to the device, before what is submitted to a stream from then on.
   *
   * @param slabs slabs with the same number of steps
   * @param boundaries the address of the table of positions outside the fields
   */
  StageLaunches(
      ProgramDevice device,
      CudaStream stream,
      StageKernels kernels,
      List<Slab> slabs,
      long boundaries) {
    this.kernels = kernels;
    this.boundaries = boundaries;
    Stages stages = kernels.stages();
    List<ByteBuffer> tables = new ArrayList<>();
    int bytes = 0;
    int steps = slabs.get(0).steps();
    for (int step = 1; step <= steps; step++) {
      for (int stage = 0; stage < stages.count(); stage++) {
        List<StepJob> jobs = new ArrayList<>();
        for (Slab slab : slabs) {
          slab.jobs(step, stage).stream().filter(job -> !job.isEmpty()).forEach(jobs::add);
        }
        StepKernel kernel = stages.stage(stage);
        if (jobs.isEmpty() || kernel.results().isEmpty()) {
          continue;
        }
        LaunchShape shape =
            new LaunchShape(kernel.blocks(jobs), jobs.size(), StepKernel.THREADS, 0);
        launches.add(new Launch(step, kernels.function(stage), shape, bytes));
        tables.add(kernel.table(jobs));
        bytes += tables.get(tables.size() - 1).capacity();
      }
    }
    try {
      upload(device, stream, tables, bytes);
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  private void upload(ProgramDevice device, CudaStream stream, List<ByteBuffer> tables, int bytes) {
    BufferLease<PinnedBuffer> staged = owned.add(device.pinned().lease(bytes));
    BufferLease<DeviceBuffer> target = owned.add(device.tables().lease(bytes));
    ByteBuffer view = staged.buffer().view(0, bytes);
    tables.forEach(view::put);
    stream.copyIn(staged.buffer(), bytes, target.buffer().address());
    for (Launch launch : launches) {
      long jobs = target.buffer().address() + launch.tableOffset;
      launch.arguments = kernels.arguments(jobs, boundaries);
    }
  }

  /**
   * Launches all stages of all steps.
   *
   * @param scalars the parameters of each step
   */
  void launch(CudaStream stream, List<long[]> scalars) {
    for (Launch each : launches) {
      long[] last = scalars.get(each.step - 1);
      System.arraycopy(last, 0, each.arguments, each.arguments.length - last.length, last.length);
      each.function.launch(stream, each.shape, each.arguments);
    }
  }

  /** Gives the memory back; nothing may be running. */
  @Override
  public void close() {
    owned.close();
  }
}
