/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.plan.PartSize;
import io.sparkstencil.kernels.program.plan.Slab;
import io.sparkstencil.kernels.program.plan.SlabGeometry;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.kernels.program.plan.Stored;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A run on fields that do not fit on the device, part by part. */
final class PartsRun {
  /** Parts in flight: while one computes, others are copied in and out. */
  private static final int MOST_WORKERS = 4;

  private final ProgramDevice device;
  private final StageKernels kernels;
  private final Stages stages;
  private final ParameterValues parameters;
  private final int steps;
  private final int workers;
  private final PartSize size;
  private final List<Object> result;
  private List<Object> from;
  private List<Object> to;

  PartsRun(
      ProgramDevice device,
      StageKernels kernels,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      int threads) {
    this.device = device;
    this.kernels = kernels;
    this.stages = kernels.stages();
    this.parameters = parameters;
    this.steps = steps;
    int most = Math.min(threads, MOST_WORKERS);
    while (most > 1 && !PartSize.fits(stages, bytesOfWorker(most))) {
      most--;
    }
    workers = most;
    size = PartSize.choose(stages, bytesOfWorker(workers), steps);
    result = arrays.arrays();
    from = result;
    to = new ArrayList<>(result);
    for (int field = 0; field < stages.updated(); field++) {
      to.set(field, stages.type().newArray(arrays.extent().cells()));
    }
  }

  /** Returns what each may lease while all others do: buffers come in sizes that may be larger. */
  private long bytesOfWorker(int count) {
    return count == 1
        ? device.memoryBytes()
        : BufferPool.largestWithin(device.memoryBytes() / count);
  }

  /** Returns how many parts the fields have. */
  int parts() {
    int cells = stages.sizes().get(PartSize.axis(stages));
    return (cells + size.length() - 1) / size.length();
  }

  void run() {
    for (int step = 0; step < steps; step += size.steps()) {
      try {
        pass(step, Math.min(size.steps(), steps - step));
      } catch (StencilException e) {
        if (step == 0) {
          throw e; // the arrays are as they were
        }
        throw new StencilException(
            ErrorCode.INTERNAL,
            "the device failed after %d of %d steps, and arrays are incomplete: %s"
                .formatted(step, steps, e.getMessage()),
            e);
      }
      List<Object> before = from;
      from = to;
      to = before;
    }
    for (int field = 0; field < stages.updated(); field++) {
      Object cells = from.get(field);
      if (cells != result.get(field)) {
        System.arraycopy(cells, 0, result.get(field), 0, Array.getLength(cells));
      }
    }
  }

  private void pass(int first, int count) {
    List<long[]> scalars = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      scalars.add(kernels.scalars(parameters, first + i));
    }
    AtomicInteger next = new AtomicInteger();
    Workers.run(workers, () -> parts(next, scalars));
  }

  /** Takes parts until none is left. */
  private void parts(AtomicInteger next, List<long[]> scalars) {
    ProgramLane lane = device.takeLane();
    try {
      for (int i = next.getAndIncrement(); i < parts(); i = next.getAndIncrement()) {
        Cancellation.ask();
        part(lane, PartSize.part(stages, i * size.length(), size.length()), scalars);
      }
    } finally {
      device.giveBack(lane);
    }
  }

  private void part(ProgramLane lane, Span target, List<long[]> scalars) {
    SlabGeometry geometry = stages.geometry(target, scalars.size());
    FieldLayout layout = FieldLayout.of(stages.type(), geometry.window(true));
    try (CloseScope owned = new CloseScope()) {
      long bytes = PartSize.bytes(stages, geometry);
      BufferLease<DeviceBuffer> memory = owned.add(device.lease(bytes, lane.main()));
      long base = memory.buffer().address();
      BoundaryMemory boundaries = owned.add(new BoundaryMemory(device, lane.main(), stages));
      List<Stored> inputs = new ArrayList<>();
      List<Stored> others = new ArrayList<>();
      int arrays = 0;
      for (int field = 0; field < from.size(); field++) {
        inputs.add(layout.at(base + layout.bytes() * arrays++));
        others.add(field < stages.updated() ? layout.at(base + layout.bytes() * arrays++) : null);
      }
      Slab slab =
          new Slab(
              stages,
              geometry,
              scalars.size(),
              inputs,
              geometry.loaded(),
              List.of(inputs, others.subList(0, stages.updated())),
              List.of());
      StageLaunches launches =
          owned.add(
              new StageLaunches(device, lane.main(), kernels, List.of(slab), boundaries.address()));
      HostCopies copies =
          owned.add(new HostCopies(device, lane.main(), stages.type(), layout.bytes()));
      load(copies, geometry, layout, inputs);
      launches.launch(lane.main(), scalars);
      store(copies, target, layout, slab.scratch().get(scalars.size() & 1));
      copies.finish();
      lane.main().synchronize();
    }
  }

  private void load(
      HostCopies copies, SlabGeometry geometry, FieldLayout layout, List<Stored> inputs) {
    for (SlabGeometry.Piece piece : geometry.pieces(geometry.loaded())) {
      Rows rows = new Rows(piece.cells(), piece.shift().get(PartSize.axis(stages)), layout);
      for (int field = 0; field < inputs.size(); field++) {
        copies.copyIn(
            from.get(field),
            rows.firstCell(),
            rows.count(),
            rows.rowCells(),
            inputs.get(field).address() + rows.bytes(),
            layout.rowBytes());
      }
    }
  }

  private void store(HostCopies copies, Span target, FieldLayout layout, List<Stored> results) {
    Rows rows = new Rows(target, 0, layout);
    for (int field = 0; field < results.size() && field < stages.updated(); field++) {
      copies.copyOut(
          results.get(field).address() + rows.bytes(),
          layout.rowBytes(),
          rows.count(),
          rows.rowCells(),
          to.get(field),
          rows.firstCell());
    }
  }

  /** The rows of a piece that has all cells of every axis but the slowest. */
  private final class Rows {
    private final Span cells;
    private final long planes;
    private final FieldLayout layout;

    Rows(Span cells, int shift, FieldLayout layout) {
      this.cells = cells;
      this.layout = layout;
      int axis = PartSize.axis(stages);
      planes = (long) cells.low().get(axis) + shift - layout.cells().low().get(axis);
    }

    /** Returns the index of the first cell in an array on the heap. */
    long firstCell() {
      long cell = 0;
      for (int axis = 0; axis < stages.sizes().size(); axis++) {
        cell = cell * stages.sizes().get(axis) + cells.low().get(axis);
      }
      return cell;
    }

    int rowCells() {
      return cells.high().get(2) - cells.low().get(2);
    }

    long count() {
      return SlabGeometry.cells(cells) / rowCells();
    }

    /** Returns the bytes in the part before the first row. */
    long bytes() {
      Stored start = layout.at(0);
      return planes
          * switch (stages.dimensions()) {
            case 1 -> start.cellBytes();
            case 2 -> start.row();
            default -> start.plane();
          };
    }
  }
}
