/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.StagePlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Where the columns of rows are among the columns of a chunk: a column that is staged as it is
 * serves as input and output, any other travels beside, texts as words that say where they lie.
 */
public final class ColumnarLayout implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StagePlan plan;
  private final List<Source> sources = new ArrayList<>();
  private final int[] positions; // of the input's columns among the chunk's

  /** Where the cells of a chunk's column come from; {@code from} is null for 1 in every row. */
  public record Source(int ordinal, DataType from, ElementType to) implements Serializable {}

  /**
   * Creates the layout.
   *
   * @param staged what the stencils need
   * @param cells where the staged columns are in the input
   * @param schema the input, of columns of fixed width and texts
   */
  public ColumnarLayout(StagePlan staged, CellReader cells, StructType schema) {
    List<StagePlan.Column> carried = new ArrayList<>();
    for (int c = 0; c < cells.columns(); c++) {
      int ordinal = cells.ordinal(c);
      DataType from = ordinal == CellReader.ROW ? null : schema.apply(ordinal).dataType();
      sources.add(new Source(ordinal, from, cells.type(c)));
    }
    positions = new int[schema.size()];
    for (int ordinal = 0; ordinal < positions.length; ordinal++) {
      DataType type = schema.apply(ordinal).dataType();
      Source asIs = asIs(ordinal, type);
      int position = sources.indexOf(asIs);
      if (position < 0) {
        position = sources.size();
        sources.add(asIs);
        carried.add(new StagePlan.Column(-1, CellKind.LONG, asIs.to()));
      }
      positions[ordinal] = position;
    }
    plan = staged.withColumns(carried);
  }

  /**
   * Returns a column with its values as they are, or of texts the words that say where they lie.
   */
  public static Source asIs(int ordinal, DataType type) {
    return new Source(ordinal, type, carriedAs(type));
  }

  /** Returns the type of cells that hold values, or of texts the words that say where they lie. */
  public static ElementType carriedAs(DataType type) {
    WordType word = WordType.kept(type);
    return word == null ? ElementType.I64 : word.cells();
  }

  /** Returns the plan with the columns that travel beside. */
  public StagePlan plan() {
    return plan;
  }

  /** Returns where the cells of each column of a chunk come from. */
  public List<Source> sources() {
    return sources;
  }

  /** Returns where column {@code ordinal} of the input is among the columns of a chunk. */
  public int position(int ordinal) {
    return positions[ordinal];
  }

  /** Returns the type that holds values as they are, or null if they have no fixed width. */
  public static ElementType elementType(DataType type) {
    WordType word = WordType.of(type);
    return word == null ? null : word.cells();
  }

  /** Appends rows {@code [from, from + count)} of a batch to the columns of a chunk. */
  public void read(ColumnarBatch batch, int from, int count, CellColumn[] to) {
    read(batch, from, count, sources, to);
  }

  /** Appends rows {@code [from, from + count)} of a batch to columns of fixed width. */
  public static void read(
      ColumnarBatch batch, int from, int count, List<Source> sources, CellColumn[] to) {
    for (int c = 0; c < to.length; c++) {
      Source source = sources.get(c);
      CellColumn column = to[c];
      if (source.ordinal() == CellReader.ROW) {
        int at = column.reserve(count);
        Arrays.fill((long[]) column.array(), at, at + count, 1);
        continue;
      }
      int at = column.length();
      ColumnVector vector = batch.column(source.ordinal());
      column.addArray(ColumnValues.cells(vector, source.from(), from, count), 0, count);
      if (ColumnValues.mayHaveNulls(vector)) {
        for (int i = 0; i < count; i++) {
          if (vector.isNullAt(from + i)) {
            column.setNull(at + i);
          }
        }
      }
    }
  }
}
