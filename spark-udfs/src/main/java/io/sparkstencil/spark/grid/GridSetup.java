/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.ExchangeCost;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.HaloPlan;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.SparkOptions;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.grid.runs.CheckpointPlan;
import io.sparkstencil.spark.grid.runs.FieldCells;
import io.sparkstencil.spark.grid.runs.GridRows;
import io.sparkstencil.spark.grid.runs.GridSource;
import io.sparkstencil.spark.grid.runs.GridSources;
import io.sparkstencil.spark.grid.runs.GridSpace;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/** Checks what a builder was told, and makes a grid of it. */
final class GridSetup {
  private final GridBuilder told;
  private final StencilProgram program;
  private final JavaSparkContext spark;

  GridSetup(GridBuilder told) {
    this.told = told;
    program = told.program;
    spark = new JavaSparkContext(told.spark.sparkContext());
  }

  StencilGrid create() {
    check();
    StepReach reach = StepReach.of(program);
    GridBlocks blocks = blocks(reach);
    HaloPlan plan =
        HaloPlan.of(blocks, reach, steps(blocks, reach), program.fields().size(), told.type);
    GridModel model =
        new GridModel(
            UUID.randomUUID().toString(),
            program,
            plan,
            parameters(),
            told.sources,
            told.receivers,
            SparkOptions.withEngine(SparkOptions.ofApplication(spark.getConf()), told.engine));
    List<JavaRDD<?>> persisted = new ArrayList<>();
    GridSource origin = new GridSource(0, source(blocks, persisted));
    GridSpace space = new GridSpace(spark, model, origin, persisted, CheckpointPlan.NONE);
    return StencilGrid.first(told.spark, space, told.listener);
  }

  private void check() {
    if (!told.type.isFloating()) {
      throw new InvalidStencilException(
          "a grid of %s cells; programs compute with F32 and F64".formatted(told.type));
    }
    if (told.sizes.size() != program.dimensions()) {
      throw new InvalidStencilException(
          "a grid of %s cells for a program with the axes %s; give the cells along each axis, extent(4096, 4096)"
              .formatted(told.sizes, program.axes()));
    }
    GridBlocks.requireSizes(told.sizes);
    if (told.steps.isPresent() && told.steps.getAsInt() < 1) {
      throw new InvalidStencilException(
          "%d steps between exchanges; use at least 1".formatted(told.steps.getAsInt()));
    }
    told.files.forEach(this::checkFile);
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

  private void checkFile(String field, FieldSource file) {
    try (FieldReader reader = file.open(spark.hadoopConfiguration())) {
      if (!reader.shape().equals(told.sizes)) {
        throw new InvalidStencilException(
            "the file of field %s has %s cells, the grid has %s; use a file of the grid's extent"
                .formatted(field, reader.shape(), told.sizes));
      }
    }
  }

  private void checkCell(String what, long[] cell) {
    boolean inside = cell.length == told.sizes.size();
    for (int axis = 0; inside && axis < cell.length; axis++) {
      inside = cell[axis] >= 0 && cell[axis] < told.sizes.get(axis);
    }
    if (!inside) {
      throw new InvalidStencilException(
          "%s is at %s, outside the grid of %s cells; use positions from 0"
              .formatted(what, Arrays.toString(cell), told.sizes));
    }
  }

  private GridBlocks blocks(StepReach reach) {
    if (!told.parts.isEmpty()) {
      return GridBlocks.cut(told.sizes, told.parts, reach);
    }
    if (told.blocks.isPresent()) {
      return GridBlocks.cut(told.sizes, told.blocks.getAsInt(), reach);
    }
    return cost()
        .blocks(
            told.sizes,
            reach,
            Math.max(1, spark.defaultParallelism()),
            program.fields().size(),
            told.type);
  }

  private int steps(GridBlocks blocks, StepReach reach) {
    return told.steps.orElseGet(
        () -> cost().steps(blocks, reach, program.updates().size(), told.type));
  }

  private ExchangeCost cost() {
    return ExchangeCost.ofCores(program, told.type);
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

  private JavaRDD<BlockCells> source(GridBlocks blocks, List<JavaRDD<?>> persisted) {
    SerializableConfiguration hadoop = new SerializableConfiguration(spark.hadoopConfiguration());
    List<FieldCells> fields = new ArrayList<>();
    for (String name : program.fields()) {
      if (told.functions.containsKey(name)) {
        fields.add(new FunctionCells(told.functions.get(name)));
      } else if (told.files.containsKey(name)) {
        fields.add(file(told.files.get(name), hadoop));
      } else {
        fields.add(FieldCells.ZEROS);
      }
    }
    JavaRDD<BlockCells> cells = GridSources.of(spark, blocks, told.type, fields);
    if (told.rows == null) {
      return cells;
    }
    Map<Integer, String> columns = new HashMap<>();
    told.rows.columns().forEach((name, column) -> columns.put(program.field(name), column));
    GridRows rows = new GridRows(told.rows.dataset(), told.rows.coordinates(), columns);
    JavaRDD<BlockCells> placed = GridSources.withRows(cells, blocks, told.type, rows);
    persisted.add(placed);
    return placed;
  }

  private static FieldCells file(FieldSource file, SerializableConfiguration hadoop) {
    return (box, type) -> {
      try (FieldReader reader = file.open(hadoop.value())) {
        return reader.read(box, type);
      }
    };
  }
}
