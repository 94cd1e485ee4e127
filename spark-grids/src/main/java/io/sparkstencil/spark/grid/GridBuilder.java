/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.AxisCoordinates;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.grid.watch.Diverging;
import io.sparkstencil.grid.watch.WatchPlan;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Describes a grid. Fields that steps update begin with cells of 0 if nothing is said about them;
 * those that are only read must have their cells from somewhere. Nothing is computed or read before
 * {@link StencilGrid#step} or another call that needs cells.
 *
 * <pre>{@code
 * StencilGrid room =
 *     StencilGrids.builder(spark, Equations.heat(2, 2, 1.0, 1.0, 0.2))
 *         .extent(100, 200)
 *         .rows(readings, List.of("x", "y"), Map.of("u", "celsius"))
 *         .checkpoints("/shared/room", 50)
 *         .create();
 * }</pre>
 */
public final class GridBuilder {
  final SparkSession spark;
  final StencilProgram program;
  List<Long> sizes = List.of();
  ElementType type;
  final Map<String, CellFunction> functions = new LinkedHashMap<>();
  final Map<String, FieldSource> files = new LinkedHashMap<>();
  RowFields rows;
  BoxFields boxes;
  final Map<String, Double> values = new LinkedHashMap<>();
  GridParameters parameters;
  List<Integer> parts = List.of();
  OptionalInt blocks = OptionalInt.empty();
  OptionalInt steps = OptionalInt.empty();
  List<PointSource> sources = List.of();
  List<Receiver> receivers = List.of();
  String engine = Engines.AUTO;
  Diverging diverging = Diverging.STOP;
  OptionalDouble largest = OptionalDouble.empty();
  GridListener listener = progress -> {};
  String checkpoints;
  int checkpointEvery;
  boolean overwritesCheckpoints;
  boolean takesCheckpointsOver;
  String resumed;

  /** Columns of a dataset: coordinates, and the columns of fields. */
  record RowFields(
      Dataset<Row> dataset,
      List<String> coordinates,
      Map<String, String> columns,
      List<AxisCoordinates> axes) {}

  /** Boxes of cells, and the fields that all of them have. */
  record BoxFields(JavaRDD<FieldBox> boxes, List<String> fields) {}

  GridBuilder(SparkSession spark, StencilProgram program) {
    this.spark = requireNonNull(spark, "spark is null");
    this.program = requireNonNull(program, "program is null");
  }

  /** Sets the cells along each axis, slowest axis first. */
  public GridBuilder extent(long... cells) {
    sizes = Arrays.stream(cells).boxed().toList();
    return this;
  }

  /** Sets the type of the cells: F32 or F64, which is the default. */
  public GridBuilder type(ElementType cells) {
    type = requireNonNull(cells, "type is null");
    return this;
  }

  /** Takes the first cells of a field from a function of their positions. */
  public GridBuilder field(String name, CellFunction function) {
    requireNew(name);
    functions.put(name, requireNonNull(function, "function is null"));
    return this;
  }

  /** Takes the first cells of a field from a file, which has as many cells as the grid. */
  public GridBuilder file(String name, FieldSource file) {
    requireNew(name);
    files.put(name, requireNonNull(file, "file is null"));
    return this;
  }

  /**
   * Takes the first cells of a field from a NumPy file or a Zarr array. Packed numbers are decoded
   * and missing values become NaN, as {@link FieldPaths#open} says. For the numbers as they are
   * stored, give {@link FieldPaths#rawSource} to {@link #file(String, FieldSource)}.
   *
   * @param path on any file system that the executors share
   */
  public GridBuilder file(String name, String path) {
    requireNonNull(path, "path is null");
    return file(name, hadoop -> FieldPaths.open(path, hadoop));
  }

  /**
   * Takes the first cells of fields from rows; cells without a row are 0.
   *
   * @param coordinates the columns of the positions, slowest axis first: integers from 0
   * @param columns the names of fields and the columns of their values
   */
  public GridBuilder rows(
      Dataset<Row> dataset, List<String> coordinates, Map<String, String> columns) {
    return taking(dataset, coordinates, columns, List.of());
  }

  /**
   * Takes the first cells of fields from rows; cells without a row are 0. Each row lies in the cell
   * whose coordinates are the nearest.
   *
   * @param coordinates the columns of coordinates, slowest axis first
   * @param columns the names of fields and the columns of their values
   * @param axes the coordinates of cells, slowest axis first: those of a file are in {@link
   *     FieldPaths#labels}
   */
  public GridBuilder rows(
      Dataset<Row> dataset,
      List<String> coordinates,
      Map<String, String> columns,
      List<AxisCoordinates> axes) {
    if (axes.size() != program.dimensions()) {
      throw new InvalidStencilException(
          "coordinates of %d axes for a grid with the axes %s; give those of each"
              .formatted(axes.size(), program.axes()));
    }
    return taking(dataset, coordinates, columns, axes);
  }

  private GridBuilder taking(
      Dataset<Row> dataset,
      List<String> coordinates,
      Map<String, String> columns,
      List<AxisCoordinates> axes) {
    columns.keySet().forEach(this::requireNew);
    if (rows != null) {
      throw new InvalidStencilException("a grid takes rows of one dataset; join them before");
    }
    if (coordinates.size() != program.dimensions()) {
      throw new InvalidStencilException(
          "%s are the coordinates of a grid with the axes %s; give one column per axis"
              .formatted(coordinates, program.axes()));
    }
    rows = new RowFields(dataset, List.copyOf(coordinates), Map.copyOf(columns), List.copyOf(axes));
    return this;
  }

  /**
   * Takes the first cells of fields from boxes, such as those that a job has computed; cells
   * outside of all boxes are 0. Boxes may have any sizes and lie in any partitions, but do not
   * overlap.
   *
   * @param fields the names of the fields that all boxes have
   */
  public GridBuilder boxes(JavaRDD<FieldBox> all, List<String> fields) {
    fields.forEach(this::requireNew);
    if (boxes != null) {
      throw new InvalidStencilException("a grid takes boxes of one RDD; unite them before");
    }
    boxes = new BoxFields(requireNonNull(all, "boxes are null"), List.copyOf(fields));
    return this;
  }

  private void requireNew(String name) {
    program.field(name);
    if (hasCells(name)) {
      throw new InvalidStencilException(
          "field %s is given twice; say once where its cells come from".formatted(name));
    }
  }

  /** Returns whether it was said where the cells of a field come from. */
  boolean hasCells(String field) {
    return functions.containsKey(field)
        || files.containsKey(field)
        || (rows != null && rows.columns().containsKey(field))
        || (boxes != null && boxes.fields().contains(field));
  }

  /** Sets the value of a parameter, the same in every step. */
  public GridBuilder parameter(String name, double value) {
    values.put(name, value);
    return this;
  }

  /** Sets the values of all parameters, step by step. */
  public GridBuilder parameters(GridParameters byStep) {
    parameters = requireNonNull(byStep, "parameters are null");
    return this;
  }

  /**
   * Sets the number of blocks; there are fewer if the grid is too small. Without it, there are as
   * many as make steps fast, at most one per core.
   */
  public GridBuilder blocks(int count) {
    blocks = OptionalInt.of(count);
    parts = List.of();
    return this;
  }

  /** Sets the number of blocks along each axis, slowest axis first. */
  public GridBuilder blocksPerAxis(int... counts) {
    parts = Arrays.stream(counts).boxed().toList();
    blocks = OptionalInt.empty();
    return this;
  }

  /**
   * Sets the steps between two exchanges of halos, at least 1. Halos are as many times deeper.
   * Without it, there are as many as make steps fast.
   */
  public GridBuilder stepsPerExchange(int count) {
    return stepsPerExchange(OptionalInt.of(count));
  }

  /** Sets the steps between two exchanges, or leaves them to the grid. */
  public GridBuilder stepsPerExchange(OptionalInt count) {
    steps = count;
    return this;
  }

  /** Sets what is added to cells after each step. */
  public GridBuilder sources(List<PointSource> added) {
    sources = List.copyOf(added);
    return this;
  }

  /** Sets the cells whose values are kept after each step. */
  public GridBuilder receivers(List<Receiver> sampled) {
    receivers = List.copyOf(sampled);
    return this;
  }

  /** Sets the engine that takes the steps: {@code auto}, {@code cpu}, {@code gpu}. */
  public GridBuilder engine(String name) {
    engine = Engines.parseName(name);
    return this;
  }

  /**
   * Sets what is done if cells grow without bound or cease to be finite numbers. The default is
   * {@link Diverging#STOP}: steps fail, and name the field, the step and the position. Cells are
   * looked at after at most {@value WatchPlan#STEPS} steps and one exchange, and after the last
   * step of a call.
   */
  public GridBuilder diverging(Diverging what) {
    diverging = requireNonNull(what, "diverging is null");
    return this;
  }

  /**
   * Sets the largest cell that has not grown without bound; without it, 1e30 for F32 and 1e150 for
   * F64.
   */
  public GridBuilder largest(double cell) {
    largest = OptionalDouble.of(cell);
    return this;
  }

  /** Sets who hears how far the grid is. */
  public GridBuilder listener(GridListener hears) {
    listener = requireNonNull(hears, "listener is null");
    return this;
  }

  /**
   * Has the grid write checkpoints while it takes steps, from which lost blocks, or another
   * application by {@link #resume}, go on. The latest complete one is kept.
   *
   * <p>The folder belongs to the grid until it is closed. It is refused if it belongs to another
   * one that may still run, or if it has checkpoints and this grid does not {@link #resume} from
   * it.
   *
   * @param folder on any file system that the executors share, for this grid alone
   * @param everySupersteps the exchanges from one checkpoint to the next, at least 1
   */
  public GridBuilder checkpoints(String folder, int everySupersteps) {
    checkpoints = requireNonNull(folder, "folder is null");
    checkpointEvery = everySupersteps;
    return this;
  }

  /** Removes checkpoints that are in the folder, unless the grid goes on from them. */
  public GridBuilder overwriteCheckpoints() {
    overwritesCheckpoints = true;
    return this;
  }

  /**
   * Takes the folder of checkpoints also from a grid that may still run; if it does, it fails at
   * its next checkpoint. A grid whose process on this machine has ended loses its folder without
   * this.
   */
  public GridBuilder takeOverCheckpoints() {
    takesCheckpointsOver = true;
    return this;
  }

  /**
   * Begins with the latest complete checkpoint in a folder, of the same program. Its cells, their
   * type and the steps taken so far take the place of what else was said about first cells.
   */
  public GridBuilder resume(String folder) {
    resumed = requireNonNull(folder, "folder is null");
    return this;
  }

  /**
   * Returns the grid. Everything that was said is checked now.
   *
   * @throws InvalidStencilException if something is wrong
   */
  public StencilGrid create() {
    return new GridSetup(this).create();
  }
}
