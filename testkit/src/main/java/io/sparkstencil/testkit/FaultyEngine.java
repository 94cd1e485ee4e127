/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * An engine like that of a GPU, as its callers see it: it belongs to a device, computes no earlier
 * than when a batch is awaited, and fails where its {@link FaultPlan} says. Its results are those
 * of the engine below it: the reference, or the one that the plan names. Counts everything that is
 * open.
 */
public final class FaultyEngine implements StencilEngine {
  /** The name by which it is chosen. */
  public static final String NAME = "faulty";

  /** Bytes of cells in a batch. */
  public static final int BATCH_BYTES = 1 << 20;

  private final FaultPlan plan;
  private final String device;
  private final StencilEngine below;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Opens the engine over another one, which it closes. */
  FaultyEngine(FaultPlan plan, String device, Supplier<StencilEngine> below) {
    this.plan = plan;
    this.device = device;
    plan.called(Fault.EngineCall.OPEN);
    this.below = below.get();
    plan.engines.incrementAndGet();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "faulty engine on device " + device;
  }

  @Override
  public Optional<String> reasonAgainst(StencilSpec spec) {
    try {
      plan.called(Fault.EngineCall.REASON);
      return Optional.empty();
    } catch (io.sparkstencil.error.UnsupportedStencilException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    plan.called(Fault.EngineCall.COMPILE);
    return below.compile(spec);
  }

  @Override
  public Lane openLane() {
    plan.called(Fault.EngineCall.OPEN_LANE);
    plan.lanes.incrementAndGet();
    return new FaultyLane(plan, below.openLane());
  }

  @Override
  public Optional<RowSort> openSort(int rows, int columns) {
    try {
      plan.called(Fault.EngineCall.OPEN_SORT);
    } catch (DeviceOutOfMemoryException e) {
      return Optional.empty();
    }
    plan.leases.incrementAndGet();
    return Optional.of(new FaultySort(plan, new HostSort(rows, columns)));
  }

  @Override
  public int preferredBatchBytes() {
    return BATCH_BYTES;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      plan.engines.decrementAndGet();
      below.close();
      if (plan.openLanes() != 0) {
        throw new IllegalStateException(
            "the engine is closed while %d lanes are open".formatted(plan.openLanes()));
      }
    }
  }

  private static final class FaultySort implements RowSort {
    private final FaultPlan plan;
    private final RowSort sort;

    FaultySort(FaultPlan plan, RowSort sort) {
      this.plan = plan;
      this.sort = sort;
    }

    @Override
    public void add(long[] memory, int from, int words, List<Packed> columns, int count) {
      sort.add(memory, from, words, columns, count);
    }

    @Override
    public void sort(List<Key> keys, int returned) {
      plan.called(Fault.EngineCall.SORT);
      sort.sort(keys, returned);
    }

    @Override
    public void read(int column, int from, int count, long[] to, int at) {
      plan.called(Fault.EngineCall.READ_SORT);
      sort.read(column, from, count, to, at);
    }

    @Override
    public void close() {
      plan.leases.decrementAndGet();
      sort.close();
    }
  }

  private static final class FaultyLane implements Lane {
    private final FaultPlan plan;
    private final Lane lane;
    private long kernelNanos;
    private long copiedBytes;
    private long deviceBytes;
    private int openLeases;
    private boolean closed;

    FaultyLane(FaultPlan plan, Lane lane) {
      this.plan = plan;
      this.lane = lane;
    }

    @Override
    public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
      requireOpen();
      plan.called(Fault.EngineCall.LEASE);
      plan.leases.incrementAndGet();
      openLeases++;
      return new LentBuffer(
          lane.lease(type, cells, withValidity),
          () -> {
            plan.leases.decrementAndGet();
            openLeases--;
          });
    }

    @Override
    public Completion submit(
        StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
      requireOpen();
      plan.called(Fault.EngineCall.SUBMIT);
      return () -> await(input, stencils, outputs);
    }

    private void await(
        StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
      requireOpen();
      plan.called(Fault.EngineCall.AWAIT);
      long start = System.nanoTime();
      pause(plan.batchMillis);
      lane.submit(
              new StagedBatch(input.layout(), LentBuffer.unwrap(input.cells()), input.hasNulls()),
              stencils,
              outputs.stream().map(LentBuffer::unwrap).toList())
          .await();
      kernelNanos += System.nanoTime() - start;
      long stagedBytes = (long) input.layout().stagedCells() * input.cells().type().bytes();
      copiedBytes += stagedBytes;
      deviceBytes = Math.max(deviceBytes, stagedBytes * (1 + outputs.size()));
      plan.batches.incrementAndGet();
    }

    /** A device goes on whether its caller is interrupted or not. */
    private static void pause(long millis) {
      long end = System.nanoTime() + millis * 1_000_000;
      for (long left = millis; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
        java.util.concurrent.locks.LockSupport.parkNanos(Math.min(left, 5) * 1_000_000);
      }
    }

    @Override
    public DeviceTimes deviceTimes() {
      return new DeviceTimes(copiedBytes, kernelNanos, copiedBytes);
    }

    @Override
    public long deviceBytes() {
      return deviceBytes;
    }

    private void requireOpen() {
      if (closed) {
        throw new IllegalStateException("the lane is used after it was closed");
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        plan.lanes.decrementAndGet();
        lane.close();
        if (openLeases != 0) {
          throw new IllegalStateException(
              "the lane is closed while %d of its buffers are lent".formatted(openLeases));
        }
      }
    }
  }
}
