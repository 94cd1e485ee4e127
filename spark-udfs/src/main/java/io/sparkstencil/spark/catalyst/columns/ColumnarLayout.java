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
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Where the columns of fixed-width rows are among the columns of a chunk: a column that is staged
 * as it is serves as input and output, any other travels beside.
 */
public final class ColumnarLayout implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StagePlan plan;
  private final List<Source> sources = new ArrayList<>();
  private final int[] positions; // of the input's columns among the chunk's

  /** Where the cells of a chunk's column come from; {@code from} is null for 1 in every row. */
  private record Source(int ordinal, DataType from, ElementType to) implements Serializable {}

  /**
   * Creates the layout.
   *
   * @param staged what the stencils need
   * @param cells where the staged columns are in the input
   * @param schema the input, of fixed-width columns
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
      Source asIs = new Source(ordinal, type, elementType(type));
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

  /** Returns the plan with the columns that travel beside. */
  StagePlan plan() {
    return plan;
  }

  /** Returns where column {@code ordinal} of the input is among the columns of a chunk. */
  int position(int ordinal) {
    return positions[ordinal];
  }

  /** Returns the type that holds values as they are, or null if they have no fixed width. */
  public static ElementType elementType(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return ElementType.I64;
    } else if (type instanceof DoubleType) {
      return ElementType.F64;
    } else if (type instanceof FloatType) {
      return ElementType.F32;
    }
    boolean narrow =
        type instanceof IntegerType
            || type instanceof DateType
            || type instanceof ShortType
            || type instanceof ByteType
            || type instanceof BooleanType;
    return narrow ? ElementType.I32 : null;
  }

  /** Appends rows {@code [from, from + count)} of a batch to the columns of a chunk. */
  void read(ColumnarBatch batch, int from, int count, CellColumn[] to) {
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
      column.addArray(values(vector, source.from(), from, count), 0, count);
      if (vector.hasNull()) {
        for (int i = 0; i < count; i++) {
          if (vector.isNullAt(from + i)) {
            column.setNull(at + i);
          }
        }
      }
    }
  }

  /** Returns a copy of values in an array of the type that holds them as they are. */
  private static Object values(ColumnVector vector, DataType type, int from, int count) {
    return switch (elementType(type)) {
      case F64 -> vector.getDoubles(from, count);
      case F32 -> vector.getFloats(from, count);
      case I64 -> vector.getLongs(from, count);
      case I32 -> ints(vector, type, from, count);
    };
  }

  private static int[] ints(ColumnVector vector, DataType type, int from, int count) {
    boolean isShort = type instanceof ShortType;
    boolean isByte = type instanceof ByteType;
    if (!isShort && !isByte && !(type instanceof BooleanType)) {
      return vector.getInts(from, count);
    }
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      if (isShort) {
        ints[i] = vector.getShort(from + i);
      } else if (isByte) {
        ints[i] = vector.getByte(from + i);
      } else {
        ints[i] = vector.getBoolean(from + i) ? 1 : 0;
      }
    }
    return ints;
  }
}
