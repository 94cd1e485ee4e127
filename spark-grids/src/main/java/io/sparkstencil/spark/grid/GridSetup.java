/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.AxisCoordinates;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.grid.watch.WatchPlan;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.paths.FieldPaths;
import io.sparkstencil.spark.grid.cells.FieldCells;
import io.sparkstencil.spark.grid.cells.FileCells;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.runs.CheckpointPlan;
import io.sparkstencil.spark.grid.runs.GridBoxes;
import io.sparkstencil.spark.grid.runs.GridRows;
import io.sparkstencil.spark.grid.runs.GridSource;
import io.sparkstencil.spark.grid.runs.GridSources;
import io.sparkstencil.spark.grid.runs.GridSpace;
import io.sparkstencil.spark.grid.runs.ZarrCheckpoints;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/** Checks what a builder was told, and makes a grid of it. */
final class GridSetup {
  private final GridBuilder told;
  private final StencilProgram program;
  private final JavaSparkContext spark;
  private final Optional<ZarrCheckpoints.Found> resumed;
  private final List<Long> sizes;
  private final ElementType type;
  private final Map<String, String> decodings = new LinkedHashMap<>();

  GridSetup(GridBuilder told) {
    this.told = told;
    program = told.program;
    spark = new JavaSparkContext(told.spark.sparkContext());
    resumed =
        Optional.ofNullable(told.resumed)
            .map(folder -> ZarrCheckpoints.latest(spark, folder, program));
    sizes = told.sizes.isEmpty() && resumed.isPresent() ? resumed.get().sizes() : told.sizes;
    ElementType usual = resumed.map(ZarrCheckpoints.Found::type).orElse(ElementType.F64);
    type = told.type == null ? usual : told.type;
  }

  StencilGrid create() {
    check();
    StepReach reach = StepReach.of(program);
    StencilConf conf = SessionOptions.withEngine(SessionOptions.of(told.spark), told.engine);
    GridCost cost = new GridCost(program, sizes, type, spark.sc(), conf);
    List<DiskRoom> disks = cost.bytesOnDisk() > 0 ? DiskRoom.ask(spark) : List.of();
    DiskRoom.require(disks, cost.bytesOnDisk(), sizes); // before blocks are chosen: none may do
    GridBlocks blocks = blocks(reach, cost);
    int steps = told.steps.orElseGet(() -> cost.steps(blocks));
    FacePlan plan = cost.plan(blocks, steps);
    cost.requireFaces(plan);
    if (!disks.isEmpty()) {
      DiskRoom.require(disks, cost.bytesOnDisk() * DiskRoom.bytesPerCellByte(plan), sizes);
    }
    GridModel model =
        new GridModel(
            UUID.randomUUID().toString(),
            program,
            plan,
            parameters(),
            told.sources,
            told.receivers,
            conf,
            watch());
    List<JavaRDD<?>> persisted = new ArrayList<>();
    GridSource origin =
        resumed
            .map(
                found ->
                    new GridSource(found.step(), GridSources.of(spark, blocks, found.fields())))
            .orElseGet(() -> new GridSource(0, source(blocks, persisted)));
    GridSpace space = space(model, origin, persisted, took -> cost.table(blocks, steps, took));
    return StencilGrid.first(told.spark, space, told.listener);
  }

  private GridSpace space(
      GridModel model,
      GridSource origin,
      List<JavaRDD<?>> persisted,
      DoubleFunction<String> expectation) {
    resumed.flatMap(ZarrCheckpoints.Found::note).ifPresent(told.listener::noted);
    CheckpointPlan checkpoints =
        checkpoints(model.plan().blocks()); // takes the folder, so that it comes last
    GridSpace space = null;
    try {
      space =
          new GridSpace(
              spark,
              model,
              origin,
              persisted,
              checkpoints,
              resumed.flatMap(ZarrCheckpoints.Found::samples),
              expectation,
              resumed.isPresent() ? Map.of() : decodings);
    } finally {
      if (space == null) {
        checkpoints.close();
      }
    }
    return space;
  }

  private void check() {
    if (!type.isFloating()) {
      throw new InvalidStencilException(
          "a grid of %s cells; programs compute with F32 and F64".formatted(type));
    }
    if (sizes.size() != program.dimensions()) {
      throw new InvalidStencilException(
          "a grid of %s cells for a program with the axes %s; give the cells along each axis, such as %s"
              .formatted(sizes, program.axes(), Collections.nCopies(program.dimensions(), 4096)));
    }
    GridBlocks.requireSizes(sizes);
    if (told.steps.isPresent() && told.steps.getAsInt() < 1) {
      throw new InvalidStencilException(
          "%d steps between exchanges; use at least 1".formatted(told.steps.getAsInt()));
    }
    if (resumed.isPresent()
        && !(sizes.equals(resumed.get().sizes()) && type == resumed.get().type())) {
      throw new InvalidStencilException(
          "a grid of %s cells of %s begins with a checkpoint of %s cells of %s; leave out extent and type"
              .formatted(sizes, type, resumed.get().sizes(), resumed.get().type()));
    }
    if (told.checkpoints != null && told.checkpointEvery < 1) {
      throw new InvalidStencilException(
          "a checkpoint every %d supersteps; use at least 1".formatted(told.checkpointEvery));
    }
    told.files.forEach(this::checkFile);
    if (resumed.isEmpty()) {
      checkFieldsThatAreRead();
    }
    for (PointSource source : told.sources) {
      if (!program.updates(program.field(source.field()))) {
        throw new InvalidStencilException(
            "a source adds to %s, which no step updates; add to one of %s"
                .formatted(source.field(), program.fields().subList(0, program.updates().size())));
      }
      checkCell("a source of " + source.field(), source.cell());
    }
    Set<String> names = new HashSet<>();
    for (Receiver receiver : told.receivers) {
      program.field(receiver.field());
      checkCell("receiver " + receiver.name(), receiver.cell());
      if (!names.add(receiver.name())) {
        throw new InvalidStencilException(
            "two receivers are called %s; use one name for each".formatted(receiver.name()));
      }
    }
  }

  /** Checks that cells are given of each field that no step updates: zeros would stay for good. */
  private void checkFieldsThatAreRead() {
    for (String field :
        program.fields().subList(program.updates().size(), program.fields().size())) {
      if (!told.hasCells(field)) {
        throw new InvalidStencilException(
            "field %s is read and never updated, and nothing gives its cells; give them by a function of the position, a file, rows or boxes"
                .formatted(field));
      }
    }
  }

  private void checkFile(String field, FieldSource file) {
    try (FieldReader reader = file.open(spark.hadoopConfiguration())) {
      reader.decoding().ifPresent(words -> decodings.put(field, words));
      if (!reader.shape().equals(sizes)) {
        throw new InvalidStencilException(
            "the file of field %s has %s cells, the grid has %s; use a file of the grid's extent%s"
                .formatted(field, reader.shape(), sizes, orSlice(reader)));
      }
      reader.note().ifPresent(told.listener::noted);
    }
  }

  private String orSlice(FieldReader file) {
    return FieldPaths.slice(file, sizes.size())
        .map(slice -> ", or a slice, by %s behind its name".formatted(slice))
        .orElse("");
  }

  private void checkCell(String what, long[] cell) {
    boolean inside = cell.length == sizes.size();
    for (int axis = 0; inside && axis < cell.length; axis++) {
      inside = cell[axis] >= 0 && cell[axis] < sizes.get(axis);
    }
    if (!inside) {
      throw new InvalidStencilException(
          "%s is at %s, outside the grid of %s cells; use positions from 0"
              .formatted(what, Arrays.toString(cell), sizes));
    }
  }

  private List<AxisCoordinates> coordinates(List<AxisCoordinates> axes) {
    for (int axis = 0; axis < axes.size(); axis++) {
      if (axes.get(axis).count() != sizes.get(axis)) {
        throw new InvalidStencilException(
            "the axis %s of the grid has %d cells and %d coordinates; give one for each cell"
                .formatted(program.axes().get(axis), sizes.get(axis), axes.get(axis).count()));
      }
    }
    return axes;
  }

  private GridBlocks blocks(StepReach reach, GridCost cost) {
    if (!told.parts.isEmpty()) {
      return GridBlocks.cut(sizes, told.parts, reach);
    }
    return told.blocks.isPresent()
        ? GridBlocks.cut(sizes, told.blocks.getAsInt(), reach)
        : cost.blocks();
  }

  private WatchPlan watch() {
    return WatchPlan.of(
        told.diverging, type, told.largest.orElseGet(() -> WatchPlan.usualBound(type)));
  }

  private ParameterValues parameters() {
    if (told.parameters != null) {
      if (!told.values.isEmpty()) {
        throw new InvalidStencilException(
            "parameters %s have a value and a function of steps; use one of the two"
                .formatted(told.values.keySet()));
      }
      return told.parameters;
    }
    ParameterValues.of(program, told.values); // checks the names
    double[] fixed = program.parameters().stream().mapToDouble(told.values::get).toArray();
    GridParameters values = (parameter, step) -> fixed[parameter];
    return values;
  }

  private CheckpointPlan checkpoints(GridBlocks blocks) {
    if (told.checkpoints == null) {
      return CheckpointPlan.NONE;
    }
    ZarrCheckpoints files =
        new ZarrCheckpoints(
            spark,
            told.checkpoints,
            program,
            blocks,
            type,
            new ZarrCheckpoints.Rights(
                told.resumed, told.overwritesCheckpoints, told.takesCheckpointsOver));
    return new CheckpointPlan(told.checkpointEvery, files, files.isResumed());
  }

  private JavaRDD<FirstCells> source(GridBlocks blocks, List<JavaRDD<?>> persisted) {
    SerializableConfiguration hadoop = new SerializableConfiguration(spark.hadoopConfiguration());
    List<FieldCells> fields = new ArrayList<>();
    for (String name : program.fields()) {
      if (told.functions.containsKey(name)) {
        fields.add(new FunctionCells(told.functions.get(name)));
      } else if (told.files.containsKey(name)) {
        fields.add(new FileCells(told.files.get(name), hadoop));
      } else {
        fields.add(told.hasCells(name) ? FieldCells.ELSEWHERE : FieldCells.ZEROS);
      }
    }
    JavaRDD<FirstCells> cells = GridSources.of(spark, blocks, fields);
    if (told.boxes != null) {
      Map<Integer, String> given = new HashMap<>();
      told.boxes.fields().forEach(name -> given.put(program.field(name), name));
      cells =
          GridSources.withBoxes(
              cells, blocks, type, new GridBoxes(told.boxes.boxes(), given), persisted);
    }
    if (told.rows != null) {
      Map<Integer, String> columns = new HashMap<>();
      told.rows.columns().forEach((name, column) -> columns.put(program.field(name), column));
      GridRows rows =
          new GridRows(
              told.rows.dataset(), told.rows.coordinates(), columns, coordinates(told.rows.axes()));
      cells = GridSources.withRows(cells, blocks, type, rows, persisted);
    }
    return cells;
  }
}
