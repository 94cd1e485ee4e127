/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.CellSummary;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.watch.Divergence;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.runs.GridRun;
import io.sparkstencil.spark.grid.runs.GridSpace;
import io.sparkstencil.spark.grid.tasks.BlockAction;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * A grid of cells after a number of steps. Its blocks stay on executors; a lost block is computed
 * again, and results have the same bits, whatever the number of blocks and of steps between
 * exchanges.
 *
 * <p>{@link #step} returns a later state and takes the blocks along. The earlier state remains
 * valid: if it is asked again, its cells are computed again from where the grid began, or from the
 * last checkpoint before it. {@link #close} ends the grid with all of its states; a grid that is
 * not closed ends when no state of it is reachable any more. Safe for many threads; calls that need
 * the same blocks take turns.
 *
 * <pre>{@code
 * StencilGrid later = grid.step(1000);
 * double[] corner = (double[]) later.read("u", Box.between(List.of(0L, 0L), List.of(8L, 8L)));
 * }</pre>
 */
public final class StencilGrid implements AutoCloseable {
  private final GridLife life;
  private final long steps;
  private final HeldRun held;

  /**
   * How {@link #stepUntil} ended.
   *
   * @param grid the state after the last step
   * @param converged whether the change was below the limit
   * @param change the largest change of a cell between the last two checks
   */
  public record Until(StencilGrid grid, boolean converged, double change) {}

  private StencilGrid(GridLife life, long steps, GridRun run) {
    this.life = life;
    this.steps = steps;
    this.held = HeldRun.of(this, run);
  }

  static StencilGrid first(SparkSession spark, GridSpace space, GridListener listener) {
    return new StencilGrid(GridLife.of(spark, space, listener), space.firstStep(), null);
  }

  private GridSpace space() {
    return life.space();
  }

  /** Returns what a step computes. */
  public StencilProgram program() {
    return space().grid().program();
  }

  /** Returns the cells along each axis, slowest axis first. */
  public List<Long> extent() {
    return blocks().sizes();
  }

  private GridBlocks blocks() {
    return space().grid().plan().blocks();
  }

  /** Returns the number of blocks along each axis, slowest axis first. */
  public List<Integer> blocksPerAxis() {
    return blocks().parts();
  }

  /** Returns the steps between two exchanges of halos. */
  public int stepsPerExchange() {
    return space().grid().plan().steps();
  }

  /** Returns the type of the cells. */
  public ElementType type() {
    return space().grid().type();
  }

  /** Returns the steps that the grid has taken since its first cells. */
  public long steps() {
    return steps;
  }

  /**
   * Takes some steps now; cells that diverge end this with a {@code StencilException}.
   *
   * @param count at least 0
   * @return the state after them
   */
  public StencilGrid step(long count) {
    requireSteps(count);
    return step(count, progress(count));
  }

  private StencilGrid step(long count, GridRun.Progress progress) {
    synchronized (held) {
      try (HeldRun.Use run = held.take(space(), steps)) {
        run.get().step(count, progress);
        return new StencilGrid(life, steps + count, run.release());
      }
    }
  }

  /**
   * Takes some steps now, with a look at the grid in between.
   *
   * @param count at least 0
   * @param every the steps from one look to the next, at least 1
   * @param snapshot takes the state after every so many steps, and the one after the last. States
   *     stay valid; the cells of one that is past are computed again if they are asked for
   * @return the state after all steps
   */
  public StencilGrid step(long count, long every, Consumer<StencilGrid> snapshot) {
    requireSteps(count);
    if (every < 1) {
      throw new InvalidStencilException(
          "%d steps between snapshots; use at least 1".formatted(every));
    }
    GridRun.Progress progress = progress(count);
    StencilGrid grid = this;
    for (long left = count; left > 0; ) {
      long next = Math.min(every, left);
      grid = grid.step(next, progress);
      left -= next;
      snapshot.accept(grid);
    }
    return grid;
  }

  /**
   * Takes steps until the cells of a field hardly change. NaN that stays NaN has not changed; a
   * number that becomes NaN, or the other way round, has changed without bound.
   *
   * @param field the name of the field
   * @param limit the change of a cell, from one check to the next, below which the grid has
   *     converged
   * @param most the most steps
   * @param every the steps from one check to the next, at least 1
   */
  public Until stepUntil(String field, double limit, long most, long every) {
    requireSteps(most);
    if (every < 1) {
      throw new InvalidStencilException("%d steps between checks; use at least 1".formatted(every));
    }
    if (!(limit >= 0)) {
      throw new InvalidStencilException(
          "a change below %s; use a limit of at least 0".formatted(limit));
    }
    int index = program().field(field);
    synchronized (held) {
      try (HeldRun.Use run = held.take(space(), steps)) {
        GridRun.Progress progress = progress(most);
        double change = Double.NaN;
        long done = 0;
        while (done < most && !(change < limit)) {
          long next = Math.min(every, most - done);
          change = run.get().stepAndMeasure(index, next, progress);
          done += next;
        }
        run.get().settle();
        return new Until(
            new StencilGrid(life, steps + done, run.release()), change < limit, change);
      }
    }
  }

  private static void requireSteps(long count) {
    if (count < 0) {
      throw new InvalidStencilException("%d steps; use at least 0".formatted(count));
    }
  }

  private GridRun.Progress progress(long wanted) {
    long start = System.nanoTime();
    double cells = 1;
    for (long size : extent()) {
      cells *= size;
    }
    double all = cells;
    return step -> {
      double seconds = (System.nanoTime() - start) / 1e9;
      long done = step - steps;
      life.listener()
          .progressed(new GridProgress(step, done, wanted, seconds, all * done / seconds));
    };
  }

  private List<Serializable> collect(BlockAction action, List<Integer> blocks) {
    synchronized (held) {
      try (HeldRun.Use run = held.take(space(), steps)) {
        List<Serializable> values = run.get().collect(action, blocks);
        run.keep();
        return values;
      }
    }
  }

  private List<Integer> allBlocks() {
    return IntStream.range(0, space().blocks()).boxed().toList();
  }

  private CellSummary summary(String field) {
    int index = program().field(field);
    CellSummary all = new CellSummary();
    collect(GridOutput.summarise(index), allBlocks()).forEach(part -> all.add((CellSummary) part));
    return all;
  }

  /** Returns the smallest cell of a field that is not NaN; NaN if all are. */
  public double min(String field) {
    return summary(field).min();
  }

  /** Returns the greatest cell of a field that is not NaN; NaN if all are. */
  public double max(String field) {
    return summary(field).max();
  }

  /** Returns the exact sum of the cells of a field that are not NaN, rounded to double once. */
  public double sum(String field) {
    return summary(field).sum();
  }

  /** Returns the square root of the exact sum of the squares of the same cells. */
  public double norm(String field) {
    return summary(field).norm();
  }

  /** Returns all of the above at once. */
  public GridSummary summarize(String field) {
    return GridSummary.of(summary(field));
  }

  /**
   * Returns where cells were found to diverge first, in whichever state; nothing if none was, or
   * nobody looked.
   *
   * @see GridBuilder#diverging
   */
  public Optional<Divergence> divergence() {
    return space().watch().first();
  }

  /**
   * Returns the values of the receivers after each step, by their names. The series of a grid that
   * was resumed begin with what was sampled before the checkpoint; a receiver that was not there
   * then has NaN in its place.
   */
  public Map<String, double[]> samples() {
    space().requireOpen();
    return space().samplesUpTo(steps);
  }

  /**
   * Returns cells of a field.
   *
   * @param box cells of the grid, at most as many as an array can have
   * @return a new {@code float[]} or {@code double[]} by {@link #type}, slowest axis first
   */
  public Object read(String field, Box box) {
    int index = program().field(field);
    List<Long> zeros = Collections.nCopies(extent().size(), 0L);
    for (int axis = 0; axis < extent().size(); axis++) {
      if (box.dimensions() != zeros.size()
          || box.start(axis) < 0
          || box.end(axis) > extent().get(axis)) {
        throw new InvalidStencilException(
            "the box at %s of %s cells is not inside the grid of %s cells; read cells of the grid"
                .formatted(box.origin(), box.extent().sizes(), extent()));
      }
    }
    Object cells = type().newArray(box.cells());
    List<Integer> blocks = blocks().blocksOf(box);
    BlockAction cut =
        fields ->
            (Serializable) fields.cells(index, fields.place().own().intersect(box).orElseThrow());
    List<Serializable> parts = collect(cut, blocks);
    for (int i = 0; i < parts.size(); i++) {
      Box part = blocks().box(blocks.get(i)).intersect(box).orElseThrow();
      CellBoxes.copy(parts.get(i), part, cells, box, part);
    }
    return cells;
  }

  /** Returns all cells of a field, if an array can have as many; see {@link #read(String, Box)}. */
  public Object read(String field) {
    return read(field, Box.between(Collections.nCopies(extent().size(), 0L), extent()));
  }

  /**
   * Returns a row per cell: its position, under the names of the program's axes, and its value in
   * each field. The cells are copied now, and kept on executors until the grid is closed.
   */
  public Dataset<Row> toDataset() {
    synchronized (held) {
      try (HeldRun.Use run = held.take(space(), steps)) {
        JavaRDD<FirstCells> cells = run.get().snapshot();
        run.keep();
        DataType number = type() == ElementType.F32 ? DataTypes.FloatType : DataTypes.DoubleType;
        return GridOutput.rows(life.spark(), program(), number, cells);
      }
    }
  }

  /**
   * Writes a field as a NumPy file.
   *
   * @param path on any file system that the executors share; a file there is replaced
   */
  public void writeNpy(String field, String path) {
    List<Integer> written = List.of(program().field(field));
    write(written, List.of(NpyFile.create(path, type(), extent(), life.hadoop())));
  }

  /**
   * Writes all fields as a Zarr group: one array per field, one chunk per block, or several of a
   * large one.
   *
   * @param path a folder that does not exist, on any file system that the executors share
   */
  public void writeZarr(String path) {
    ZarrGroup group = ZarrGroup.create(path, Map.of("step", steps), life.hadoop());
    ZarrLayout layout =
        ZarrLayout.ofBoxes(type(), extent(), new Extent(blocks().blockSizes()))
            .withDimensionNames(program().axes());
    List<FieldWriter> writers =
        program().fields().stream()
            .<FieldWriter>map(field -> group.createArray(field, layout))
            .toList();
    write(IntStream.range(0, writers.size()).boxed().toList(), writers);
    group.complete(Map.of());
  }

  private void write(List<Integer> fields, List<FieldWriter> writers) {
    GridOutput.write(fields, writers, life.hadoop(), action -> collect(action, allBlocks()));
  }

  /** Returns what the grid has done so far. */
  public GridMetrics metrics() {
    return life.metrics();
  }

  /**
   * Returns the executors that have the blocks, in the order of blocks; none if the blocks of this
   * state are nowhere.
   */
  public List<String> executors() {
    return held.locations();
  }

  /** Returns what was done to the numbers of files before they were first cells, by fields. */
  public Map<String, String> decodings() {
    return space().decodings();
  }

  /** Returns how the grid is cut, what is exchanged, and what it has done, in some lines. */
  public String explain() {
    return GridText.explain(space(), steps, life.metrics(), held.locations());
  }

  /** Ends the grid with all of its states, and frees executors. Closing again does nothing. */
  @Override
  public void close() {
    life.close();
  }

  @Override
  public String toString() {
    return "grid of %s cells after %d steps of %s".formatted(extent(), steps, program());
  }
}
