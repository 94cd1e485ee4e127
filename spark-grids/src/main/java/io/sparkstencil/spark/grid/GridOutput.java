/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellSummary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockAction;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/** Brings cells from blocks to files and rows. */
final class GridOutput {
  /** Those of a copy that is looked at and dropped. */
  private static final int SLAB_CELLS = 1 << 22;

  private GridOutput() {}

  /** Returns what summarises the cells of a field. */
  static BlockAction summarise(int field) {
    return fields -> {
      CellSummary summary = new CellSummary();
      for (Box slab : fields.place().own().slabs(SLAB_CELLS)) {
        summary.add(fields.cells(field, slab));
      }
      return summary;
    };
  }

  /**
   * Has tasks write fields, and commits the files.
   *
   * @param fields indices of fields
   * @param writers one per field
   * @param run has all blocks do something
   */
  static void write(
      List<Integer> fields,
      List<FieldWriter> writers,
      Configuration hadoop,
      Consumer<BlockAction> run) {
    SerializableConfiguration settings = new SerializableConfiguration(hadoop);
    List<Integer> indices = new ArrayList<>(fields);
    List<FieldWriter> sent = new ArrayList<>(writers);
    boolean done = false;
    try {
      run.accept(
          cells -> {
            Box own = cells.place().own();
            for (int i = 0; i < indices.size(); i++) {
              sent.get(i).write(own, cells.cells(indices.get(i), own), settings.value());
            }
            return null;
          });
      writers.forEach(writer -> writer.commit(hadoop));
      done = true;
    } finally {
      if (!done) {
        writers.forEach(writer -> writer.abort(hadoop));
      }
    }
  }

  /** Returns a row per cell: its position, then its value in each field. */
  static Dataset<Row> rows(
      SparkSession spark, StencilProgram program, DataType cells, JavaRDD<FirstCells> snapshot) {
    StructType schema = new StructType();
    for (String axis : program.axes()) {
      schema = schema.add(axis, DataTypes.LongType, false);
    }
    for (String field : program.fields()) {
      schema = schema.add(field, cells, false);
    }
    JavaRDD<Row> rows = snapshot.flatMap(piece -> new Cells((CellPiece) piece));
    return spark.createDataFrame(rows, schema);
  }

  /** The rows of a piece with all fields. */
  private static final class Cells implements Iterator<Row> {
    private final Box box;
    private final List<Object> fields;
    private int next;

    Cells(CellPiece piece) {
      box = piece.box();
      fields = piece.arrays();
    }

    @Override
    public boolean hasNext() {
      return next < box.cells();
    }

    @Override
    public Row next() {
      int cell = next++;
      List<Object> values = new ArrayList<>(box.position(cell));
      IntStream.range(0, fields.size())
          .forEach(field -> values.add(Array.get(fields.get(field), cell)));
      return RowFactory.create(values.toArray());
    }
  }
}
