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
  void read(
      org.apache.spark.sql.vectorized.ColumnarBatch batch, int from, int count, CellColumn[] to) {
    for (int c = 0; c < to.length; c++) {
      Source source = sources.get(c);
      CellColumn column = to[c];
      int at = column.reserve(count);
      if (source.ordinal() == CellReader.ROW) {
        Arrays.fill((long[]) column.array(), at, at + count, 1);
        continue;
      }
      ColumnVector vector = batch.column(source.ordinal());
      switch (source.to()) {
        case F64 -> doubles(vector, source.from(), from, count, (double[]) column.array(), at);
        case I64 -> longs(vector, source.from(), from, count, (long[]) column.array(), at);
        case I32 -> ints(vector, source.from(), from, count, (int[]) column.array(), at);
        case F32 -> floats(vector, from, count, (float[]) column.array(), at);
      }
      if (vector.hasNull()) {
        for (int i = 0; i < count; i++) {
          if (vector.isNullAt(from + i)) {
            column.setNull(at + i);
          }
        }
      }
    }
  }

  private static void doubles(
      ColumnVector vector, DataType type, int from, int count, double[] to, int at) {
    if (type instanceof DoubleType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getDouble(from + i);
      }
    } else if (type instanceof FloatType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getFloat(from + i);
      }
    } else if (type instanceof LongType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getLong(from + i);
      }
    } else {
      int[] narrow = new int[count];
      ints(vector, type, from, count, narrow, 0);
      for (int i = 0; i < count; i++) {
        to[at + i] = narrow[i];
      }
    }
  }

  private static void longs(
      ColumnVector vector, DataType type, int from, int count, long[] to, int at) {
    if (elementType(type) == ElementType.I64) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getLong(from + i);
      }
    } else {
      int[] narrow = new int[count];
      ints(vector, type, from, count, narrow, 0);
      for (int i = 0; i < count; i++) {
        to[at + i] = narrow[i];
      }
    }
  }

  private static void ints(
      ColumnVector vector, DataType type, int from, int count, int[] to, int at) {
    if (type instanceof ShortType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getShort(from + i);
      }
    } else if (type instanceof ByteType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getByte(from + i);
      }
    } else if (type instanceof BooleanType) {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getBoolean(from + i) ? 1 : 0;
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[at + i] = vector.getInt(from + i);
      }
    }
  }

  private static void floats(ColumnVector vector, int from, int count, float[] to, int at) {
    for (int i = 0; i < count; i++) {
      to[at + i] = vector.getFloat(from + i);
    }
  }
}
