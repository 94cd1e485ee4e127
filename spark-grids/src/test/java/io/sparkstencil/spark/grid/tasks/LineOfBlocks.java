/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.grid.watch.Diverging;
import io.sparkstencil.grid.watch.WatchPlan;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.BlockRegistry.Entry;
import io.sparkstencil.spark.grid.blocks.HeapMark;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.RunKey;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A grid of one axis, cut into a line of blocks, and the tasks of one process that work on them,
 * without Spark. Each superstep has two steps; no face can be had from elsewhere.
 */
final class LineOfBlocks implements AutoCloseable {
  static final int STEPS = 2;
  private static final int CELLS = 10;

  /** So many supersteps can be taken. */
  private static final int SUPERSTEPS = 64;

  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + a*k[1]*(u[-1] - 2*u + u[1])");
  private static final double COEFFICIENT = 0.3;

  private final BlockRegistry registry = new BlockRegistry(new HeapShare(0, 1));
  private final int count;
  private final GridModel model;
  private Supersteps supersteps = Supersteps.none(0, 0);

  LineOfBlocks(int count) {
    this(count, (parameter, step) -> COEFFICIENT);
  }

  LineOfBlocks(int count, ParameterValues parameters) {
    this.count = count;
    StepReach reach = StepReach.of(HEAT);
    GridBlocks blocks = GridBlocks.cut(List.of((long) count * CELLS), List.of(count), reach);
    FacePlan plan = FacePlan.of(blocks, reach, STEPS, HEAT.fields().size(), ElementType.F64);
    StencilConf conf = new StencilConf(Map.of(StencilOptions.ENGINE.key(), Engines.CPU));
    model =
        new GridModel(
            "line",
            HEAT,
            plan,
            parameters,
            List.of(),
            List.of(),
            conf,
            new WatchPlan(Diverging.STOP, 1e150));
    for (int i = 0; i < SUPERSTEPS; i++) {
      supersteps = supersteps.plus(STEPS);
    }
  }

  /** Returns orders to bring blocks to a state, where no face is kept. */
  Orders to(int target) {
    return to(target, false);
  }

  Orders to(int target, boolean keepsAll) {
    return Orders.to(
        new Schedule(supersteps, 0, new int[1], new int[1], Schedule.NEVER, keepsAll), target);
  }

  Entry enter(int block, int job) {
    return registry.enter(new RunKey("line", 1), block, job, HeapMark::new);
  }

  /** Returns what the task of a block chooses from. */
  NextMove next(Entry entry, Orders orders, int job) {
    return new NextMove(model, orders, job, entry.run(), entry.block());
  }

  /** Does what the task of a block does. */
  BlockResult bring(int block, Orders orders, int job) throws InterruptedException {
    return bring(block, orders, job, count, () -> {});
  }

  /**
   * Does what the task of a block does.
   *
   * @param here how many blocks, the first ones, belong to this process
   * @param checkpoint is run before each move
   */
  BlockResult bring(int block, Orders orders, int job, int here, Runnable checkpoint)
      throws InterruptedException {
    Entry entry = enter(block, job);
    List<String> executors = new ArrayList<>(Collections.nCopies(count, "executor_there_2"));
    Collections.fill(executors.subList(0, here), "executor_here_1");
    Places places = Places.of(executors);
    BlockWork work =
        new BlockWork(model, orders, places, "executor_here_1", ExecutorRuntime.current());
    NextMove next = next(entry, orders, job);
    return new SharedWork(work, next, orders, job, entry, "executor_here_1")
        .bring(() -> first(block), checkpoint);
  }

  private Iterator<FirstCells> first(int block) {
    Box own = model.plan().blocks().box(block);
    List<Object> arrays = List.of(part(first("u"), own), part(first("k"), own));
    return List.<FirstCells>of(new CellPiece(own, List.of(0, 1), arrays)).iterator();
  }

  private double[] first(String field) {
    double[] cells = new double[count * CELLS];
    Arrays.setAll(cells, i -> field.equals("k") ? 0.5 + 0.01 * (i % 40) : 7 * i % 17);
    return cells;
  }

  private static double[] part(double[] cells, Box box) {
    return Arrays.copyOfRange(cells, (int) box.start(0), (int) box.end(0));
  }

  /** Returns the cells of u that a block has in a state, as computed on the whole grid. */
  double[] expected(int block, int state) {
    List<Object> arrays = List.of(first("u"), first("k"));
    CpuProgram.compile(HEAT, Map.of())
        .run(
            new ProgramArrays(ElementType.F64, Extent.of(count * CELLS), arrays),
            ParameterValues.of(HEAT, Map.of("a", COEFFICIENT)),
            STEPS * state,
            1);
    return part((double[]) arrays.get(0), model.plan().blocks().box(block));
  }

  /** Returns the cells of u that a block has now. */
  Object cells(int block, int job) {
    return enter(block, job).block().fields().cells(0, model.plan().blocks().box(block));
  }

  @Override
  public void close() {
    registry.close(0);
  }
}
