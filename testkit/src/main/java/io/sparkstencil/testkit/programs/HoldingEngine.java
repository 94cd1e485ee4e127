/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.BlockFields.HostRunner;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.FieldCell;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An engine that holds blocks of grids: as many as a test says, in memory of its own, or in that of
 * another engine below. What it does fails when a test says so. Found by every runtime of this
 * process; no test but those that enable it see it.
 */
public final class HoldingEngine implements ProgramEngineProvider, ProgramEngine {
  /** In processes that a test starts: the folder of faces that blocks share with others. */
  public static final String SHARED_FOLDER = "stencil.test.sharedFolder";

  /**
   * In such processes: whether blocks share no faces, but lend memory for those that travel, and
   * keep them.
   */
  public static final String LENT_FACES = "stencil.test.lentFaces";

  private static final AtomicInteger ROOM = new AtomicInteger();
  private static final AtomicInteger OPEN = new AtomicInteger();
  private static final AtomicInteger SUCCESSES = new AtomicInteger();
  private static final AtomicInteger FAILURES = new AtomicInteger();
  private static volatile boolean enabled;
  private static volatile Supplier<StencilException> failure;
  private static volatile ProgramEngine below;

  /** Lets applications that start from now on use the engine. */
  public static void enable(int blocks) {
    ROOM.set(blocks);
    FAILURES.set(0);
    failure = null;
    enabled = true;
  }

  /**
   * Lets applications that start from now on use the engine.
   *
   * @param engine the name of the engine that holds the blocks, such as {@code gpu}
   */
  public static void enable(int blocks, String engine) {
    below =
        ProgramEngines.discover().stream()
            .filter(each -> each.name().equals(engine))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no engine " + engine))
            .open(Map.of());
    enable(blocks);
  }

  /** Hides the engine from applications that start from now on, and ends the one below. */
  public static void disable() {
    enabled = false;
    if (below != null) {
      below.close();
      below = null;
    }
  }

  /** Lets every operation on a block fail after some more; null ends that. */
  public static void failAfter(int successes, Supplier<StencilException> how) {
    SUCCESSES.set(successes);
    failure = how;
  }

  /** Returns how many blocks are held. */
  public static int open() {
    return OPEN.get();
  }

  /** Returns how many operations have failed since the engine was enabled. */
  public static int failures() {
    return FAILURES.get();
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
    return enabled || sharedFolder() != null
        ? Optional.empty()
        : Optional.of("no test has enabled it");
  }

  private static String sharedFolder() {
    return System.getProperty(SHARED_FOLDER);
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
  public Optional<BlockFields> hold(
      StencilProgram program, ElementType type, ExtendedBlock place, boolean urgent) {
    if (sharedFolder() == null && OPEN.get() >= ROOM.get()) {
      return Optional.empty();
    }
    CpuProgram compiled = CpuProgram.compile(program, Map.of());
    HostRunner runner = (cells, values, steps) -> compiled.run(cells, values, steps, 1);
    Optional<BlockFields> fields =
        below == null
            ? Optional.of(new BlockArrays(type, place, program.fields().size()))
            : below.hold(program, type, place, urgent);
    fields.ifPresent(each -> OPEN.incrementAndGet());
    return fields.map(each -> new Held(each, runner, program.fields().size()));
  }

  /** Ends nothing: each application opens the same one. */
  @Override
  public void close() {}

  private static final class Held implements BlockFields {
    private final BlockFields fields;
    private final HostRunner runner;
    private final int allFields;
    private final Map<Integer, FileFace> shared = new ConcurrentHashMap<>();
    private final Map<Integer, FaceKeeper> keepers = new ConcurrentHashMap<>();
    private boolean closed;

    Held(BlockFields fields, HostRunner runner, int allFields) {
      this.fields = fields;
      this.allFields = allFields;
      this.runner = runner;
    }

    private BlockFields working() {
      if (closed) {
        throw new IllegalStateException("a block is used after it was closed");
      }
      Supplier<StencilException> how = failure;
      if (how != null && SUCCESSES.decrementAndGet() < 0) {
        FAILURES.incrementAndGet();
        throw how.get();
      }
      return fields;
    }

    @Override
    public ExtendedBlock place() {
      return fields.place();
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
      return fields.heapBytes() + fields.deviceBytes();
    }

    @Override
    public void load(int field, Box box, Object cells) {
      working().load(field, box, cells);
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
    public ByteBuffer pack(ExtendedBlock taker, int first, int end) {
      return working().pack(taker, first, end);
    }

    @Override
    public void unpack(int giver, int first, int end, ByteBuffer packed) {
      working().unpack(giver, first, end, packed);
    }

    @Override
    public Optional<FaceBuffer> lendFace(int bytes) {
      return Boolean.getBoolean(LENT_FACES) ? Optional.of(LentFace.lend(bytes)) : Optional.empty();
    }

    @Override
    public Optional<FaceKeeper> keeper(ExtendedBlock taker, int count) {
      return Boolean.getBoolean(LENT_FACES)
          ? Optional.of(
              keepers.computeIfAbsent(taker.block(), same -> new HeapKeeper(fields, taker, count)))
          : Optional.empty();
    }

    @Override
    public FacePath take(BlockFields giver, int first, int end) {
      return working().take(giver instanceof Held held ? held.working() : giver, first, end);
    }

    @Override
    public Optional<SharedFace> share(ExtendedBlock taker, int count, int slots) {
      if (sharedFolder() == null || Boolean.getBoolean(LENT_FACES)) {
        return Optional.empty();
      }
      return Optional.of(
          shared.computeIfAbsent(
              taker.block(),
              block -> new FileFace(Path.of(sharedFolder()), fields, taker, count, slots)));
    }

    @Override
    public boolean takeShared(byte[] ticket, int giver, int count, int state) {
      int bytes = fields.place().partsOf(giver).stream().mapToInt(p -> p.to().cells()).sum();
      int cellBytes = (int) (fields.heapBytes() / fields.place().extended().cells() / allFields);
      return FileFace.take(ticket, giver, fields, count, state, bytes * count * cellBytes);
    }

    /** Where this fails, steps have been taken that nobody is told of, as on a device. */
    @Override
    public void step(ParameterValues parameters, int steps, HostRunner host) {
      fields.step(parameters, steps, runner);
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
        shared.values().forEach(FileFace::delete);
        fields.close();
        OPEN.decrementAndGet();
      }
    }
  }
}
