/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.StepJob;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Does jobs as a kernel does, cell by cell, in an array that stands for device memory. Cells that
 * nobody has written must not be read.
 */
final class HostJobs {
  private static final int CELL_BYTES = Double.BYTES;

  private final Stages stages;
  private final ParameterValues parameters;
  private final double[] memory;
  private final boolean[] written;

  HostJobs(Stages stages, ParameterValues parameters, long bytes) {
    this.stages = stages;
    this.parameters = parameters;
    memory = new double[Math.toIntExact(bytes / CELL_BYTES)];
    written = new boolean[memory.length];
  }

  double read(long address) {
    int cell = Math.toIntExact(address / CELL_BYTES);
    if (address % CELL_BYTES != 0 || !written[cell]) {
      throw new AssertionError("cell at " + address + " is read before it is written");
    }
    return memory[cell];
  }

  void write(long address, double value) {
    int cell = Math.toIntExact(address / CELL_BYTES);
    memory[cell] = value;
    written[cell] = true;
  }

  boolean isWritten(long address) {
    return written[Math.toIntExact(address / CELL_BYTES)];
  }

  /** Does all jobs of slabs, stage by stage. */
  void run(List<Slab> slabs) {
    for (int step = 1; step <= slabs.get(0).steps(); step++) {
      for (int stage = 0; stage < stages.count(); stage++) {
        for (Slab slab : slabs) {
          for (StepJob job : slab.jobs(step, stage)) {
            run(job, stage, step - 1);
          }
        }
      }
    }
  }

  private void run(StepJob job, int stage, int step) {
    for (int z = job.low().get(0); z < job.high().get(0); z++) {
      for (int y = job.low().get(1); y < job.high().get(1); y++) {
        for (int x = job.low().get(2); x < job.high().get(2); x++) {
          compute(job, stage, step, List.of(z, y, x));
        }
      }
    }
  }

  private void compute(StepJob job, int stage, int step, List<Integer> cell) {
    Stage what = stages.traits().stages().get(stage);
    List<Node> nodes = stages.traits().program().nodes();
    double[] values = new double[nodes.size()];
    for (int index : new TreeSet<>(what.order())) {
      Node node = nodes.get(index);
      if (node instanceof Node.Tap tap) {
        values[index] = tap(job, stage, tap, cell);
      } else if (node instanceof Node.Constant constant) {
        values[index] = constant.value();
      } else if (node instanceof Node.Parameter parameter) {
        values[index] = parameters.value(parameter.index(), step);
      } else if (node instanceof Node.Coordinate coordinate) {
        values[index] = cell.get(ArrayView.AXES - stages.dimensions() + coordinate.axis());
      } else {
        Node.Apply apply = (Node.Apply) node;
        double[] operands = new double[3];
        for (int i = 0; i < apply.operands().size(); i++) {
          operands[i] = values[apply.operands().get(i)];
        }
        values[index] = apply.operation().apply(operands[0], operands[1], operands[2]);
      }
    }
    for (int i = 0; i < what.updates().size(); i++) {
      write(address(job.results().get(i), cell), values[what.updates().get(i).node()]);
    }
  }

  private double tap(StepJob job, int stage, Node.Tap tap, List<Integer> cell) {
    ArrayView view = job.sources().get(stages.stage(stage).source(tap));
    List<Integer> place = new ArrayList<>(cell);
    int firstAxis = ArrayView.AXES - stages.dimensions();
    for (int axis = firstAxis; axis < ArrayView.AXES; axis++) {
      int position = cell.get(axis) + tap.offset().get(axis - firstAxis);
      if (position < view.low().get(axis) || position >= view.high().get(axis)) {
        Boundary beside =
            stages
                .traits()
                .program()
                .boundaries()
                .get(tap.field())
                .beside(axis - firstAxis, position);
        position = (int) beside.sourceIndex(position, stages.sizes().get(axis));
        if (position < 0) {
          return beside.constant();
        }
      }
      place.set(axis, position);
    }
    return read(address(view, place));
  }

  private static long address(ArrayView view, List<Integer> place) {
    return view.origin()
        + place.get(0) * view.plane()
        + place.get(1) * view.row()
        + (long) place.get(2) * CELL_BYTES;
  }
}
