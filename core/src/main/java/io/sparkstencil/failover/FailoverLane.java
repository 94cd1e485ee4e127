/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.Restaging;
import io.sparkstencil.staging.StagedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A lane that changes engines. Buffers stay those of the engine that lent them; where the batch
 * runs on another engine, or memory was out, its cells are copied to and from that engine's
 * buffers, in smaller batches if need be.
 */
final class FailoverLane implements Lane {
  private static final int LEAST_BATCH_BYTES = 64 << 10;
  private static final int SHRINK = 4;

  /** An engine's lane and the permit to have it. */
  private record Opened(int engine, Lane lane, FailoverEngine.Permit permit) {}

  private final FailoverEngine<?> engine;
  private final List<Opened> opened = new ArrayList<>();
  private int smallerBatchBytes; // of the engine in use, 0 as long as it lends what it is asked for
  private int smallerOf;
  private List<CompiledStencil> compiledFrom;
  private List<CompiledStencil> compiled;
  private int compiledBy;
  private boolean closed;

  /** Asked for each batch: a new lambda each time would be garbage for each array. */
  @SuppressWarnings("UnnecessaryLambda")
  private final Supplier<Boolean> worksOnHeap = () -> lane().worksOnHeap();

  FailoverLane(FailoverEngine<?> engine) {
    this.engine = engine;
  }

  /** Returns the lane of the engine in use. */
  private Lane lane() {
    if (closed) {
      throw new IllegalStateException("the lane is used after it was closed");
    }
    int current = engine.current();
    if (!opened.isEmpty() && opened.get(opened.size() - 1).engine() == current) {
      return opened.get(opened.size() - 1).lane();
    }
    FailoverEngine.Permit permit = engine.admit();
    try {
      Lane lane = engine.inUse().openLane();
      opened.add(new Opened(current, lane, permit));
      return lane;
    } catch (RuntimeException | Error e) {
      permit.close();
      throw e;
    }
  }

  @Override
  public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
    while (true) {
      try {
        Lane lane = lane();
        CellBuffer buffer = lane.lease(type, cells, withValidity);
        buffer.markLender(lane);
        return buffer;
      } catch (DeviceOutOfMemoryException e) {
        if (shrinks(e, (long) cells * type.bytes())) {
          return new HeapCellBuffer(type, cells, withValidity);
        }
        engine.recover(e);
      } catch (StencilException e) {
        engine.recover(e);
      }
    }
  }

  /** Decides on smaller batches; false if they are as small as they may be. */
  private boolean shrinks(DeviceOutOfMemoryException failure, long bytes) {
    engine.requireRecoverable(failure);
    long before = isSmaller() ? smallerBatchBytes : bytes;
    if (before / SHRINK < LEAST_BATCH_BYTES) {
      return false;
    }
    engine.failed(failure, FailoverEngine.Reaction.SMALLER_BATCHES);
    smallerBatchBytes = (int) Math.min(Integer.MAX_VALUE, before / SHRINK);
    smallerOf = engine.current();
    return true;
  }

  private boolean isSmaller() {
    return smallerBatchBytes > 0 && smallerOf == engine.current();
  }

  /** A batch, and how often its stencils are applied; {@code between} is null for once. */
  private record Submission(
      StagedBatch input,
      List<CompiledStencil> stencils,
      List<CellBuffer> outputs,
      CellBuffer between,
      int steps) {
    private boolean canRunOn(Lane lane) {
      boolean can = canUse(lane, input.cells()) && (between == null || canUse(lane, between));
      for (int i = 0; can && i < outputs.size(); i++) {
        can = canUse(lane, outputs.get(i));
      }
      return can;
    }
  }

  @Override
  public Completion submit(
      StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
    return submit(new Submission(input, stencils, outputs, null, 1));
  }

  @Override
  public Completion submitSteps(
      StagedBatch input,
      CompiledStencil stencil,
      CellBuffer output,
      CellBuffer between,
      int steps) {
    return submit(new Submission(input, List.of(stencil), List.of(output), between, steps));
  }

  private Completion submit(Submission work) {
    engine.checkpoint();
    StagedBatch input = work.input();
    long cells = (long) input.layout().outputCells() * work.stencils().size() * work.steps();
    engine.countBatch(cells, input.bytes());
    long start = System.nanoTime();
    Completion completion = start(work);
    engine.countNanosSince(start);
    if (completion == Completion.DONE) {
      return completion;
    }
    return () -> {
      long awaited = System.nanoTime();
      completion.await();
      engine.countNanosSince(awaited);
    };
  }

  private Completion start(Submission work) {
    while (true) {
      try {
        Lane lane = lane();
        List<CompiledStencil> compiled = compiled(work.stencils());
        int current = engine.current();
        if (isSmaller() || !work.canRunOn(lane)) {
          runInPieces(lane, work, compiled);
          return Completion.DONE;
        }
        Completion completion =
            work.steps() == 1
                ? lane.submit(work.input(), compiled, work.outputs())
                : lane.submitSteps(
                    work.input(),
                    compiled.get(0),
                    work.outputs().get(0),
                    work.between(),
                    work.steps());
        return completion == Completion.DONE ? completion : () -> await(completion, current, work);
      } catch (StencilException e) {
        react(e, work.input());
      }
    }
  }

  /** Returns the stencils as the engine in use has compiled them; most batches have the same. */
  private List<CompiledStencil> compiled(List<CompiledStencil> stencils) {
    if (compiledFrom != stencils || compiledBy != engine.current()) {
      List<CompiledStencil> found = new ArrayList<>(stencils.size());
      for (CompiledStencil stencil : stencils) {
        found.add(engine.compileNow((FailoverEngine.Compiled) stencil));
      }
      compiled = found;
      compiledFrom = stencils;
      compiledBy = engine.current();
    }
    return compiled;
  }

  /** Waits for a batch; runs it again if its engine has failed. */
  private void await(Completion completion, int submittedTo, Submission work) {
    try {
      completion.await();
      return;
    } catch (StencilException e) {
      if (engine.current() == submittedTo) {
        react(e, work.input());
      } // else an earlier batch has failed and the engine was left
    }
    start(work).await();
  }

  private void react(StencilException failure, StagedBatch input) {
    if (!(failure instanceof DeviceOutOfMemoryException memory && shrinks(memory, input.bytes()))) {
      engine.recover(failure);
    }
  }

  private static boolean canUse(Lane lane, CellBuffer buffer) {
    return buffer.lender() == lane || (buffer instanceof HeapCellBuffer && lane.worksOnHeap());
  }

  @Override
  public boolean worksOnHeap() {
    return engine.recovering(worksOnHeap);
  }

  private void runInPieces(Lane lane, Submission work, List<CompiledStencil> compiled) {
    StagedBatch batch = work.input();
    int bytes = isSmaller() ? smallerBatchBytes : Integer.MAX_VALUE;
    int mostCells = bytes / batch.cells().type().bytes();
    new BatchPieces(lane, batch, compiled, work.outputs(), mostCells).run();
    for (int step = 1; step < work.steps(); step++) {
      engine.checkpoint();
      Boundary boundary = compiled.get(0).spec().boundary();
      StagedBatch again = Restaging.restage(batch, boundary, work.outputs().get(0), work.between());
      new BatchPieces(lane, again, compiled, work.outputs(), mostCells).run();
    }
  }

  @Override
  public DeviceTimes deviceTimes() {
    return opened.stream()
        .map(each -> each.lane().deviceTimes())
        .reduce(DeviceTimes.NONE, DeviceTimes::plus);
  }

  /** Returns the sum over all lanes: one that has failed keeps its memory until this is closed. */
  @Override
  public long deviceBytes() {
    return opened.stream().mapToLong(each -> each.lane().deviceBytes()).sum();
  }

  /**
   * Closes the lanes; of engines that were left because they failed, what they throw is dropped.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    RuntimeException failure = null;
    for (Opened each : opened) {
      try {
        each.lane().close();
      } catch (RuntimeException e) {
        if (each.engine() == engine.current()) {
          failure = e;
        }
      } finally {
        each.permit().close();
      }
    }
    engine.laneClosed();
    if (failure != null) {
      throw failure;
    }
  }
}
