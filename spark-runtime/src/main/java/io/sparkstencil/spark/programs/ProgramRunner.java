/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Batched;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Marks;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.PresentCells;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.TaskProgram;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a program on arrays, on many of one extent at once. Nothing has to be given back. Used by
 * one thread.
 */
public final class ProgramRunner {
  /**
   * Arrays of more cells run alone: the cost of a run does not count, and tiles have one axis less
   * to be cut along. Measured on a CPU: images of 64 x 64 cells gain by company, of 128 x 128 lose.
   */
  static final int MOST_BATCHED_CELLS = 1 << 13;

  private final ProgramOperation operation;
  private final StencilConf conf;
  private final boolean local;
  private final ParameterValues parameters;
  private final Map<Variant, Engine> engines = new HashMap<>();
  private final List<TaskProgram> tasks = new ArrayList<>();
  private ExecutorRuntime runtime; // whose engines these are

  /** What a program computes. */
  private enum Part {
    /** The results. */
    CELLS,
    /** Which results depend on missing cells. */
    MARKS,
    /** How many missing cells a filter leaves out. */
    COUNTS,
    /** The sums of the cells that there are. */
    SUMS
  }

  /** What is compiled: the program of a part, alone or in a batch. */
  private record Variant(Part part, boolean batched) {}

  /** Runs all steps. */
  private interface Runs {
    void run(ProgramArrays arrays, ParameterValues values, int steps);
  }

  private record Engine(StencilProgram program, Runs runs) {}

  /**
   * Creates a runner.
   *
   * @param conf options as the query sees them
   * @param local whether to leave the engines of the process alone and compute on the CPU
   */
  ProgramRunner(ProgramOperation operation, StencilConf conf, boolean local) {
    this.operation = operation;
    this.conf = conf;
    this.local = local;
    parameters = ParameterValues.of(operation.program(), operation.parameters());
  }

  /**
   * Computes the cells after all steps, and finds which results are missing.
   *
   * @param type the type of the cells
   * @param extent how many an array has along each axis
   * @param arrays how many arrays there are of each field
   * @param cells for each field that is an array, a {@code float[]} or {@code double[]} with the
   *     cells of the arrays, one after the other; those of updated fields become the results
   * @param missing for each field that is an array, 1 for each missing cell, 0 for the others;
   *     those of updated fields become those of the results, above 0 where one is missing. Empty if
   *     no cell is missing
   */
  public void run(
      ElementType type, Extent extent, int arrays, List<Object> cells, List<Object> missing) {
    Optional<PresentCells> present = operation.present();
    if (missing.isEmpty() || present.isEmpty()) {
      run(Part.CELLS, type, extent, arrays, cells);
      if (!missing.isEmpty()) {
        run(Part.MARKS, ElementType.F32, extent, arrays, missing);
      }
      return;
    }
    Object image = cells.get(0); // filters have one field
    Object sums = null;
    if (present.get().sums(operation.program()).isPresent()) {
      int length = Array.getLength(image);
      sums = type.newArray(length);
      System.arraycopy(image, 0, sums, 0, length);
      run(Part.SUMS, type, extent, arrays, List.of(sums));
    }
    run(Part.CELLS, type, extent, arrays, cells);
    run(Part.COUNTS, ElementType.F32, extent, arrays, missing);
    present.get().finish(image, sums, (float[]) missing.get(0));
  }

  private void run(Part part, ElementType type, Extent extent, int arrays, List<Object> cells) {
    boolean batched = arrays > 1;
    boolean together =
        extent.cells() <= MOST_BATCHED_CELLS && Batched.isPossible(operation.program());
    if (batched && !together) {
      runEach(part, type, extent, arrays, cells);
      return;
    }
    refresh();
    Engine engine = engines.computeIfAbsent(new Variant(part, batched), this::engine);
    List<Integer> sizes = new ArrayList<>(extent.sizes());
    if (batched) {
      sizes.add(0, arrays);
    }
    List<Object> fields = new ArrayList<>();
    for (String name : engine.program().fields()) {
      int array = operation.arrays().indexOf(name);
      fields.add(array < 0 ? type.newArray(arrays * extent.cells()) : cells.get(array));
    }
    ParameterValues values = part == Part.CELLS ? parameters : ParameterValues.NONE;
    engine
        .runs()
        .run(new ProgramArrays(type, new Extent(sizes), fields), values, operation.steps());
  }

  private void runEach(Part part, ElementType type, Extent extent, int arrays, List<Object> cells) {
    int length = extent.cells();
    List<Object> one = cells.stream().map(each -> type.newArray(length)).toList();
    for (int i = 0; i < arrays; i++) {
      for (int field = 0; field < one.size(); field++) {
        System.arraycopy(cells.get(field), i * length, one.get(field), 0, length);
      }
      run(part, type, extent, 1, one);
      for (int field : operation.results()) {
        System.arraycopy(one.get(field), 0, cells.get(field), i * length, length);
      }
    }
  }

  /** Returns what is run. */
  public ProgramOperation operation() {
    return operation;
  }

  /** Forgets the engines of a process runtime that has been closed. */
  private void refresh() {
    ExecutorRuntime current = local ? null : ExecutorRuntime.current();
    if (current != runtime) {
      engines.clear();
      tasks.clear();
      runtime = current;
    }
  }

  private Engine engine(Variant variant) {
    StencilProgram program = program(variant.part());
    StencilProgram running = variant.batched() ? Batched.of(program) : program;
    if (local) {
      CpuProgram compiled = CpuProgram.compile(running, conf.values());
      return new Engine(running, (arrays, values, steps) -> compiled.run(arrays, values, steps, 1));
    }
    TaskProgram compiled = runtime.program(running, conf);
    tasks.add(compiled);
    return new Engine(running, compiled::run);
  }

  private StencilProgram program(Part part) {
    StencilProgram program = operation.program();
    return switch (part) {
      case CELLS -> program;
      case MARKS -> Marks.of(program);
      case COUNTS -> operation.present().orElseThrow().counts(program);
      case SUMS -> operation.present().orElseThrow().sums(program).orElseThrow();
    };
  }

  /** Returns the engine that ran last; the CPU's name if none has yet. */
  public String engine() {
    return tasks.stream()
        .map(TaskProgram::engine)
        .filter(name -> name != null)
        .reduce((first, last) -> last)
        .orElse(Engines.CPU);
  }

  /** Returns how the programs have run on the engines of the process. */
  public List<TaskProgram> tasks() {
    return List.copyOf(tasks);
  }
}
