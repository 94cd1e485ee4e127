/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/**
 * Rows with the coordinates of cells and values of fields; cells without a row keep their value.
 */
public final class GridRows {
  private final Dataset<Row> rows;
  private final List<Integer> fields;
  private final List<String> coordinates;

  /**
   * A row on its way to its block.
   *
   * @param words its position, and then the bits of its values: an array of a type that any
   *     serializer of the session knows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record CellRow(long[] words, int dimensions) {
    List<Long> position() {
      return Arrays.stream(words, 0, dimensions).boxed().toList();
    }

    double value(int field) {
      return Double.longBitsToDouble(words[dimensions + field]);
    }
  }

  /**
   * Takes columns of a dataset.
   *
   * @param coordinates columns of positions, slowest axis first
   * @param columns the index of a field and the column of its values
   * @throws io.sparkstencil.error.InvalidStencilException if a column of positions has another type
   *     than numbers or text
   */
  public GridRows(Dataset<Row> dataset, List<String> coordinates, Map<Integer, String> columns) {
    fields = columns.keySet().stream().sorted().toList();
    this.coordinates = new ArrayList<>(coordinates);
    Dataset<Row> at =
        dataset.select(coordinates.stream().map(name -> col(name)).toArray(Column[]::new));
    for (int axis = 0; axis < coordinates.size(); axis++) {
      RowPosition.requireType(coordinates.get(axis), at.schema().apply(axis).dataType());
    }
    Stream<Column> positions = coordinates.stream().map(name -> col(name));
    Stream<Column> values = fields.stream().map(field -> col(columns.get(field)).cast("double"));
    rows = dataset.select(Stream.concat(positions, values).toArray(Column[]::new));
  }

  /** Returns the indices of the fields that rows have. */
  List<Integer> fields() {
    return new ArrayList<>(fields);
  }

  /** Returns the rows, those of a block in the partition of its number. */
  JavaRDD<CellRow> byBlock(GridBlocks blocks) {
    List<String> axes = coordinates;
    return rows.toJavaRDD()
        .mapToPair(
            row -> {
              CellRow cell = cell(row, axes);
              return new Tuple2<>(blocks.blockOf(cell.position()), cell.words());
            })
        .partitionBy(new ToBlocks(blocks.count()))
        .values()
        .map(words -> new CellRow(words, axes.size()));
  }

  private static CellRow cell(Row row, List<String> coordinates) {
    int dimensions = coordinates.size();
    if (row.anyNull()) {
      throw new BadDataException(
          "row %s of a grid has a null; leave out such rows, or give them numbers".formatted(row));
    }
    long[] words = new long[row.size()];
    for (int i = 0; i < words.length; i++) {
      words[i] =
          i < dimensions
              ? RowPosition.of(coordinates.get(i), row.get(i))
              : Double.doubleToRawLongBits(row.getDouble(i));
    }
    return new CellRow(words, dimensions);
  }

  /** Puts rows into a block. */
  static Iterator<BlockCells> place(
      BlockCells cells,
      Iterator<CellRow> cellRows,
      List<Integer> fields,
      GridBlocks blocks,
      ElementType type) {
    List<Object> arrays = new ArrayList<>(cells.fields());
    BitSet given = new BitSet();
    Box box = null;
    while (cellRows.hasNext()) {
      CellRow row = cellRows.next();
      if (box == null) {
        box = blocks.box(blocks.blockOf(row.position()));
      }
      int index = box.index(row.position());
      if (given.get(index)) {
        throw new BadDataException(
            "two rows of a grid have the position %s; give each cell one row"
                .formatted(row.position()));
      }
      given.set(index);
      for (int i = 0; i < fields.size(); i++) {
        Object array = arrays.get(fields.get(i));
        if (type == ElementType.F32) {
          ((float[]) array)[index] = (float) row.value(i);
        } else {
          ((double[]) array)[index] = row.value(i);
        }
      }
    }
    return Collections.singletonList(new BlockCells(arrays)).iterator();
  }
}
