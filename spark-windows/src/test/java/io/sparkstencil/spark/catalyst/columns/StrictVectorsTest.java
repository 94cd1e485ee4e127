/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.frames.PackedDoubles;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.collection.Iterator;

/** Readers of columns ask strict ones for nothing that these do not answer. */
final class StrictVectorsTest {
  private static final int ROWS = 1300; // more than a block of rows has
  private static final StructType SCHEMA =
      new StructType()
          .add("flag", DataTypes.BooleanType)
          .add("byte", DataTypes.ByteType)
          .add("short", DataTypes.ShortType)
          .add("int", DataTypes.IntegerType)
          .add("long", DataTypes.LongType)
          .add("float", DataTypes.FloatType)
          .add("double", DataTypes.DoubleType)
          .add("small", DataTypes.createDecimalType(9, 2))
          .add("large", DataTypes.createDecimalType(18, 2))
          .add("text", DataTypes.StringType)
          .add("bytes", DataTypes.BinaryType);

  private static List<InternalRow> rows() {
    List<InternalRow> rows = new ArrayList<>();
    for (int n = -ROWS / 2; n < ROWS / 2; n++) {
      Object[] values = {
        n % 2 == 0,
        (byte) n,
        (short) -n,
        n,
        (long) n * n,
        n / 8f,
        Math.sin(n),
        Decimal.apply(n, 9, 2),
        Decimal.apply((long) n << 33, 18, 2),
        UTF8String.fromString("text " + n),
        new byte[] {(byte) n, 1}
      };
      for (int field = 0; field < values.length; field++) {
        if (Math.floorMod(n, field + 2) == 1) {
          values[field] = null;
        }
      }
      rows.add(new GenericInternalRow(values));
    }
    return rows;
  }

  private static ColumnarBatch strict(
      StructType schema, List<InternalRow> rows, StrictVector.Kind kind) {
    Iterator<InternalRow> each = ScalaInterop.seq(rows).iterator();
    return StrictVector.strict(new BatchPacker(schema).pack(each, rows.size()), kind);
  }

  private static ColumnarBatch selected(ColumnarBatch batch, int[] rows) {
    ColumnVector[] columns = new ColumnVector[batch.numCols()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = new SelectedVector(batch.column(c), rows, rows.length);
    }
    return new ColumnarBatch(columns, rows.length);
  }

  private static void requireRows(ColumnarBatch batch, List<InternalRow> expected) {
    UnsafeProjection projection = UnsafeProjection.create(SCHEMA);
    ColumnRows rows = new ColumnRows(SCHEMA, new SQLMetric("sum", 0), new SQLMetric("sum", 0));
    Iterator<InternalRow> made =
        rows.createEvaluator().eval(0, ScalaInterop.seqOf(ScalaInterop.seqOf(batch).iterator()));
    for (InternalRow row : expected) {
      assertThat(made.next()).isEqualTo(projection.apply(row));
    }
    assertThat(made.hasNext()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreMadeOfThem(StrictVector.Kind kind) {
    List<InternalRow> rows = rows();
    ColumnarBatch batch = strict(SCHEMA, rows, kind);
    requireRows(batch, rows);

    int[] odd = IntStream.range(0, ROWS / 2).map(i -> 2 * i + 1).toArray();
    ColumnarBatch once = selected(batch, odd);
    requireRows(once, IntStream.of(odd).mapToObj(rows::get).toList());

    int[] third = IntStream.range(0, ROWS / 6).map(i -> 3 * i).toArray();
    requireRows(
        selected(once, third), IntStream.of(third).mapToObj(i -> rows.get(2 * i + 1)).toList());
  }

  @ParameterizedTest
  @EnumSource
  void wordsAndCellsOfThemAreThoseOfRows(StrictVector.Kind kind) {
    List<InternalRow> rows = rows();
    ColumnarBatch batch = strict(SCHEMA, rows, kind);
    int[] all = IntStream.range(0, ROWS).toArray();
    ColumnarBatch once = selected(batch, all);
    ColumnarBatch plain = new BatchPacker(SCHEMA).pack(ScalaInterop.seq(rows).iterator(), ROWS);
    for (int c = 0; c < SCHEMA.size() - 2; c++) {
      DataType type = SCHEMA.apply(c).dataType();
      long[] expected =
          withoutNulls(ColumnValues.words(plain.column(c), type, ROWS, null), plain.column(c));
      for (ColumnarBatch each : List.of(batch, once, selected(once, all))) {
        ColumnVector column = each.column(c);
        assertThat(withoutNulls(ColumnValues.words(column, type, ROWS, null), column))
            .isEqualTo(expected);
        assertThat(withoutNulls(ColumnValues.words(column, type, ROWS, new long[ROWS]), column))
            .isEqualTo(expected);
        int from = 17;
        Object cells = ColumnValues.cells(column, type, from, ROWS - from);
        Object cellsOfSpark = ColumnValues.cells(plain.column(c), type, from, ROWS - from);
        for (int i = 0; i < ROWS - from; i++) {
          if (!column.isNullAt(from + i)) {
            assertThat(java.lang.reflect.Array.get(cells, i))
                .isEqualTo(java.lang.reflect.Array.get(cellsOfSpark, i));
          }
        }
      }
    }
  }

  private static long[] withoutNulls(long[] words, ColumnVector column) {
    return IntStream.range(0, ROWS).mapToLong(i -> column.isNullAt(i) ? -1 : words[i]).toArray();
  }

  @ParameterizedTest
  @EnumSource
  void doublesOfThemArePacked(StrictVector.Kind kind) {
    List<InternalRow> rows = rows();
    ColumnarBatch batch = strict(SCHEMA, rows, kind);
    int[] column = {6};
    List<byte[]> ofBatches = new ArrayList<>();
    PackedDoubles.ofBatches(ScalaInterop.seqOf(batch).iterator(), column).foreach(ofBatches::add);
    List<byte[]> ofRows = new ArrayList<>();
    PackedDoubles.ofRows(ScalaInterop.seq(rows).iterator(), column).foreach(ofRows::add);
    assertThat(ofBatches).usingRecursiveComparison().isEqualTo(ofRows);
  }
}
