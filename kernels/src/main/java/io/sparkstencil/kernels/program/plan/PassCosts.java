/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import java.util.stream.IntStream;

/**
 * Estimates of how long passes take, from the cells that they move, load and compute, and from
 * their launches. The figures are those of an H200; only their relations matter.
 */
final class PassCosts {
  /** Seconds of the host for a launch, which is what small fields wait for. */
  private static final double LAUNCH_SECONDS = 6e-6;

  private static final double SINGLE_BYTES_PER_SECOND = 2.5e12;
  private static final double SINGLE_TAP_BYTES_PER_SECOND = 12e12;
  private static final double FUSED_BYTES_PER_SECOND = 3.5e12;
  private static final double OPERATIONS_PER_SECOND = 8e12;

  private final Stages stages;

  PassCosts(Stages stages) {
    this.stages = stages;
  }

  /** Returns the time of a cell in a step that is taken alone, in which every tap is a load. */
  private double cellSeconds() {
    int arrays = stages.traits().program().fields().size() + stages.updated();
    int taps = IntStream.range(0, stages.count()).map(s -> stages.stage(s).sourceCells()).sum();
    double bytes = stages.type().bytes();
    return Math.max(
        operationSeconds(),
        Math.max(
            arrays * bytes / SINGLE_BYTES_PER_SECOND, taps * bytes / SINGLE_TAP_BYTES_PER_SECOND));
  }

  private double operationSeconds() {
    return (stages.traits().operations() + 10.0) / OPERATIONS_PER_SECOND;
  }

  /** A step by itself takes the time of its kernels, or that of launching them. */
  double singleSeconds() {
    return Math.max(LAUNCH_SECONDS * stages.count(), cells() * cellSeconds());
  }

  private double cells() {
    return SlabGeometry.cells(stages.all());
  }

  /** Each stage of each step is a launch for the slabs; the streams fork and join. */
  double launchSeconds(FusedKernel kernel) {
    return LAUNCH_SECONDS * (2 + kernel.steps() * stages.count());
  }

  /** A kernel of several steps moves each cell once, and computes faster than single steps do. */
  double seconds(FusedPlan plan) {
    FusedKernel kernel = plan.kernel();
    double slabs = plan.slabCells(stages.count()) * cellSeconds() / stages.count();
    int arrays = kernel.inputs().size() + kernel.outputs().size();
    double moved = arrays * stages.type().bytes() / FUSED_BYTES_PER_SECOND;
    double computed = plan.steps() * operationSeconds() / 2;
    return Math.max(launchSeconds(kernel), slabs + cells() * Math.max(moved, computed));
  }
}
