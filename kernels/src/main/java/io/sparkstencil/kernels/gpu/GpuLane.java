/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A task's way to a device. Batches take turns on two slots of one stream, which other lanes share,
 * so that one is staged or unstaged while the device has the other.
 */
public final class GpuLane implements Lane {
  private static final System.Logger LOG = System.getLogger(GpuLane.class.getName());
  private static final int SLOTS = 2;

  private final PrimaryContext context;
  private final BufferPool<PinnedBuffer> pinned;
  private final DeviceStreams streams;
  private final HeldKernels kernels;
  private final DeviceStreams.Shared stream;
  private final List<DeviceSlot> slots = new ArrayList<>();
  private final List<PinnedCellBuffer> lent = new ArrayList<>();
  private int next;
  private boolean closed;

  GpuLane(
      PrimaryContext context,
      BufferPool<PinnedBuffer> pinned,
      BufferPool<DeviceBuffer> memory,
      DeviceStreams streams,
      HeldKernels kernels) {
    this.context = context;
    this.kernels = kernels;
    this.pinned = pinned;
    this.streams = streams;
    this.stream = streams.take();
    try {
      for (int i = 0; i < SLOTS; i++) {
        slots.add(new DeviceSlot(context, pinned, memory, stream, kernels));
      }
    } catch (RuntimeException e) {
      slots.forEach(DeviceSlot::close);
      streams.giveBack(stream);
      throw e;
    }
  }

  @Override
  public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
    requireOpen();
    CloseScope leases = new CloseScope();
    try {
      BufferLease<PinnedBuffer> ofCells = leases.add(pinned.lease((long) cells * type.bytes()));
      BufferLease<PinnedBuffer> ofValidity = withValidity ? leases.add(pinned.lease(cells)) : null;
      PinnedCellBuffer buffer = new PinnedCellBuffer(this, type, cells, ofCells, ofValidity);
      lent.add(buffer);
      return buffer;
    } catch (RuntimeException e) {
      throw leases.closeAfter(e);
    }
  }

  void forget(PinnedCellBuffer buffer) {
    lent.remove(buffer);
  }

  @Override
  public Completion submit(
      StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
    return submit(input, stencils, outputs, 1);
  }

  /** Starts all steps at once; the cells stay on the device between them. */
  @Override
  public Completion submitSteps(
      StagedBatch input,
      CompiledStencil stencil,
      CellBuffer output,
      CellBuffer between,
      int steps) {
    if (input.layout().left() % STEP_ALIGNMENT_CELLS != 0) {
      throw new IllegalArgumentException(
          "a left halo of %d cells is no multiple of %d, as steps need it"
              .formatted(input.layout().left(), STEP_ALIGNMENT_CELLS));
    }
    return submit(input, List.of(stencil), List.of(output), steps);
  }

  private Completion submit(
      StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs, int steps) {
    requireOpen();
    List<GpuStencil> ours = stencils.stream().map(GpuStencil.class::cast).toList();
    List<PinnedCellBuffer> targets = outputs.stream().map(this::ownBuffer).toList();
    PinnedCellBuffer source = ownBuffer(input.cells());
    requireRoom(input, targets);
    if (input.layout().outputCells() == 0) {
      return Completion.DONE;
    }
    return onSlot(slot -> slot.submit(input, source, ours, targets, steps));
  }

  /**
   * Starts a stencil over arrays that are on the device already; nothing crosses to the host but
   * the way back of errors. The memory stays untouched until the completion has been awaited.
   *
   * @param stencil compiled from the arrays' spec
   * @param arrays where everything lies
   * @param source device addresses of the first cell and of the bits of validity, if there are
   *     nulls
   * @param results device addresses for the results and for the bits of their validity
   * @param scratch device address of as much memory as the arrays ask for, aligned to 256 bytes
   */
  public Completion submitArrays(
      CompiledStencil stencil,
      DeviceArrays arrays,
      DeviceCells source,
      DeviceCells results,
      long scratch) {
    requireOpen();
    if (arrays.layout().pieces() == 0) {
      return Completion.DONE;
    }
    return onSlot(
        slot -> slot.submitArrays((GpuStencil) stencil, arrays, source, results, scratch));
  }

  /** Submits work to the slot whose turn it is, once its batch is done. */
  private Completion onSlot(Function<DeviceSlot, Completion> work) {
    DeviceSlot slot = slots.get(next);
    next = (next + 1) % SLOTS;
    slot.awaitIdle();
    context.enter();
    try {
      return work.apply(slot);
    } finally {
      context.leave();
    }
  }

  private PinnedCellBuffer ownBuffer(CellBuffer buffer) {
    if (buffer instanceof PinnedCellBuffer ours && ours.isOf(this)) {
      return ours;
    }
    throw new IllegalArgumentException("a buffer was not lent by this lane: " + buffer);
  }

  private static void requireRoom(StagedBatch input, List<PinnedCellBuffer> outputs) {
    int cells = input.layout().stagedCells();
    for (PinnedCellBuffer output : outputs) {
      if (output.capacity() < cells
          || output.type() != input.cells().type()
          || (input.hasNulls() && !output.hasValidity())) {
        throw new IllegalArgumentException(
            "an output of %d %s cells, validity %s, cannot take %d %s cells, nulls %s"
                .formatted(
                    output.capacity(),
                    output.type(),
                    output.hasValidity(),
                    cells,
                    input.cells().type(),
                    input.hasNulls()));
      }
    }
  }

  @Override
  public DeviceTimes deviceTimes() {
    return slots.stream().map(DeviceSlot::times).reduce(DeviceTimes.NONE, DeviceTimes::plus);
  }

  @Override
  public long deviceBytes() {
    return slots.stream().mapToLong(DeviceSlot::deviceBytes).sum();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a lane is used after it was closed");
    }
  }

  /** Waits for what was submitted, then gives everything back; throws nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (DeviceSlot slot : slots) {
      try {
        slot.drain();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, "closing a lane whose work failed", e);
      }
    }
    List.copyOf(lent).forEach(PinnedCellBuffer::close);
    slots.forEach(DeviceSlot::close);
    kernels.close();
    streams.giveBack(stream);
  }
}
