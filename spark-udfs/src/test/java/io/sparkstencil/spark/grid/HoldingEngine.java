/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FieldCell;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An engine that holds blocks as one on a device does: as many as a test says, in memory of its
 * own, which is nobody else's until it is closed. What it does fails when a test says so. Found by
 * every runtime of this process; no test but those that enable it see it.
 */
public final class HoldingEngine implements ProgramEngineProvider, ProgramEngine {
  private static final AtomicInteger ROOM = new AtomicInteger();
  private static final AtomicInteger OPEN = new AtomicInteger();
  private static final AtomicInteger SUCCESSES = new AtomicInteger();
  private static volatile boolean enabled;
  private static volatile Supplier<StencilException> failure;

  /** Lets applications that start from now on use the engine. */
  static void enable(int blocks) {
    ROOM.set(blocks);
    failure = null;
    enabled = true;
  }

  static void disable() {
    enabled = false;
  }

  /** Lets every operation on a block fail after some more; null ends that. */
  static void failAfter(int successes, Supplier<StencilException> how) {
    SUCCESSES.set(successes);
    failure = how;
  }

  /** Returns how many blocks are held. */
  static int open() {
    return OPEN.get();
  }

  @Override
  public String name() {
    return "holding";
  }

  @Override
  public int rank() {
    return 1000;
  }

  @Override
  public Optional<String> unavailableReason() {
    return enabled ? Optional.empty() : Optional.of("no test has enabled it");
  }

  /** Nothing is faster, if cells need not come and go. */
  @Override
  public ProgramEstimate estimate(ProgramWork work) {
    return new ProgramEstimate(0, 1, 0);
  }

  @Override
  public ProgramEngine open(Map<String, String> options) {
    return this;
  }

  @Override
  public String description() {
    return name();
  }

  @Override
  public CompiledProgram compile(StencilProgram program) {
    CpuProgram compiled = CpuProgram.compile(program, Map.of());
    return compiled::run;
  }

  @Override
  public Optional<BlockFields> hold(StencilProgram program, ElementType type, ExtendedBlock place) {
    if (OPEN.get() >= ROOM.get()) {
      return Optional.empty();
    }
    OPEN.incrementAndGet();
    return Optional.of(
        new Held(
            new BlockArrays(type, place, program.fields().size()),
            CpuProgram.compile(program, Map.of())));
  }

  /** Ends nothing: each application opens the same one. */
  @Override
  public void close() {}

  private static final class Held implements BlockFields {
    private final BlockArrays arrays;
    private final CpuProgram program;
    private boolean closed;

    Held(BlockArrays arrays, CpuProgram program) {
      this.arrays = arrays;
      this.program = program;
    }

    private BlockArrays working() {
      if (closed) {
        throw new IllegalStateException("a block is used after it was closed");
      }
      Supplier<StencilException> how = failure;
      if (how != null && SUCCESSES.decrementAndGet() < 0) {
        throw how.get();
      }
      return arrays;
    }

    @Override
    public ExtendedBlock place() {
      return arrays.place();
    }

    @Override
    public String engine() {
      return "holding";
    }

    @Override
    public long heapBytes() {
      return 0;
    }

    @Override
    public long deviceBytes() {
      return arrays.heapBytes();
    }

    @Override
    public void load(int field, Object cells) {
      working().load(field, cells);
    }

    @Override
    public Object cells(int field, Box box) {
      return working().cells(field, box);
    }

    @Override
    public void fillOwnImages(int first, int end) {
      working().fillOwnImages(first, end);
    }

    @Override
    public ByteBuffer pack(ExtendedBlock target, int first, int end) {
      return working().pack(target, first, end);
    }

    @Override
    public void unpack(int source, int first, int end, ByteBuffer packed) {
      working().unpack(source, first, end, packed);
    }

    @Override
    public void take(BlockFields source, int first, int end) {
      working().take(source instanceof Held held ? held.working() : source, first, end);
    }

    /** Where this fails, steps have been taken that nobody is told of, as on a device. */
    @Override
    public void step(ParameterValues parameters, int steps, HostRunner host) {
      arrays.step(parameters, steps, (cells, values, n) -> program.run(cells, values, n, 1));
      working();
    }

    @Override
    public double[] values(List<FieldCell> cells) {
      return working().values(cells);
    }

    @Override
    public void add(List<FieldCell> cells, double[] values) {
      working().add(cells, values);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        OPEN.decrementAndGet();
      }
    }
  }
}
