/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Rows of columns have the bytes that Spark's own projection gives them. */
final class ColumnRowsTest {
  private static final StructType SCHEMA =
      new StructType()
          .add("text", DataTypes.StringType)
          .add("number", DataTypes.LongType)
          .add("bytes", DataTypes.BinaryType)
          .add("flag", DataTypes.BooleanType)
          .add("name", DataTypes.StringType);

  private static ColumnarBatch batch(Random random, int rows, int longest) {
    OnHeapColumnVector[] columns = OnHeapColumnVector.allocateColumns(rows, SCHEMA);
    double nulls = random.nextInt(3) / 4D;
    for (int i = 0; i < rows; i++) {
      for (int c = 0; c < columns.length; c++) {
        String text = (random.nextBoolean() ? "x" : "€😀").repeat(random.nextInt(longest));
        if (random.nextDouble() < nulls) {
          columns[c].putNull(i);
        } else if (c == 1) {
          columns[c].putLong(i, random.nextLong());
        } else if (c == 3) {
          columns[c].putBoolean(i, random.nextBoolean());
        } else {
          columns[c].putByteArray(i, text.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return new ColumnarBatch(columns, rows);
  }

  private static List<UnsafeRow> rows(List<ColumnarBatch> batches) {
    return rows(SCHEMA, batches);
  }

  private static List<UnsafeRow> rows(StructType schema, List<ColumnarBatch> batches) {
    ColumnRows rows = new ColumnRows(schema, new SQLMetric("sum", 0), new SQLMetric("sum", 0));
    Iterator<InternalRow> made =
        CollectionConverters.asJava(
            rows.createEvaluator()
                .eval(0, ScalaInterop.seqOf(CollectionConverters.asScala(batches.iterator()))));
    List<UnsafeRow> copies = new ArrayList<>();
    made.forEachRemaining(row -> copies.add(((UnsafeRow) row).copy()));
    return copies;
  }

  @Test
  void rowsOfRandomTextsEqualThoseOfSpark() {
    Random random = new Random(8);
    UnsafeProjection projection = UnsafeProjection.create(SCHEMA);
    for (int longest : new int[] {1, 9, 40, 3000}) {
      List<ColumnarBatch> batches = new ArrayList<>();
      List<UnsafeRow> expected = new ArrayList<>();
      for (int rows : new int[] {3, 0, 1100, 1}) {
        ColumnarBatch batch = batch(random, rows, longest);
        batches.add(batch);
        batch.rowIterator().forEachRemaining(row -> expected.add(projection.apply(row).copy()));
      }
      List<UnsafeRow> actual = rows(batches);
      assertThat(actual).isEqualTo(expected);
      for (int i = 0; i < actual.size(); i++) {
        assertThat(actual.get(i).hashCode()).isEqualTo(expected.get(i).hashCode());
      }
    }
  }

  private static final StructType FIXED =
      new StructType()
          .add("boolean", DataTypes.BooleanType)
          .add("byte", DataTypes.ByteType)
          .add("short", DataTypes.ShortType)
          .add("int", DataTypes.IntegerType)
          .add("date", DataTypes.DateType)
          .add("long", DataTypes.LongType)
          .add("timestamp", DataTypes.TimestampType)
          .add("float", DataTypes.FloatType)
          .add("double", DataTypes.DoubleType)
          .add("narrow", new DecimalType(7, 2))
          .add("wide", new DecimalType(18, 2));

  /** Null in some places, where a vector has what was there before. */
  private static WritableColumnVector[] fixed(
      WritableColumnVector[] columns, int rows, Random random) {
    for (int i = 0; i < rows; i++) {
      for (int c = 0; c < columns.length; c++) {
        WritableColumnVector column = columns[c];
        switch (c) {
          case 0 -> column.putBoolean(i, random.nextBoolean());
          case 1 -> column.putByte(i, (byte) random.nextInt());
          case 2 -> column.putShort(i, (short) random.nextInt());
          case 3, 4 -> column.putInt(i, random.nextInt());
          case 5, 6 -> column.putLong(i, random.nextLong());
          case 7 -> column.putFloat(i, random.nextFloat());
          case 8 -> column.putDouble(i, random.nextDouble());
          case 9 -> column.putInt(i, random.nextInt(10_000_000));
          default -> column.putLong(i, random.nextInt());
        }
        if (random.nextInt(4) == 0) {
          column.putNull(i);
        }
      }
    }
    return columns;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsWithNullsOfSparksVectorsEqualThoseOfSpark(boolean offHeap) {
    UnsafeProjection projection = UnsafeProjection.create(FIXED);
    int rows = 1300;
    ColumnarBatch batch =
        new ColumnarBatch(
            fixed(
                offHeap
                    ? OffHeapColumnVector.allocateColumns(rows, FIXED)
                    : OnHeapColumnVector.allocateColumns(rows, FIXED),
                rows,
                new Random(11)),
            rows);
    List<UnsafeRow> expected = new ArrayList<>();
    batch.rowIterator().forEachRemaining(row -> expected.add(projection.apply(row).copy()));

    assertThat(rows(FIXED, List.of(batch))).isEqualTo(expected);
    batch.close();
  }

  /** Of a null there may be no number in the dictionary. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsOfDictionariesWithNullsEqualThoseOfSpark(boolean offHeap) {
    StructType schema =
        new StructType()
            .add("int", DataTypes.IntegerType)
            .add("long", DataTypes.LongType)
            .add("float", DataTypes.FloatType)
            .add("double", DataTypes.DoubleType);
    int rows = 900;
    WritableColumnVector[] columns =
        offHeap
            ? OffHeapColumnVector.allocateColumns(rows, schema)
            : OnHeapColumnVector.allocateColumns(rows, schema);
    for (WritableColumnVector column : columns) {
      WritableColumnVector ids = column.reserveDictionaryIds(rows);
      for (int i = 0; i < rows; i++) {
        ids.putInt(i, i % 7 == 3 ? 99 : i % 5);
        if (i % 7 == 3) {
          column.putNull(i);
        }
      }
      column.setDictionary(new FiveValues());
    }
    ColumnarBatch batch = new ColumnarBatch(columns, rows);
    UnsafeProjection projection = UnsafeProjection.create(schema);
    List<UnsafeRow> expected = new ArrayList<>();
    batch.rowIterator().forEachRemaining(row -> expected.add(projection.apply(row).copy()));

    assertThat(rows(schema, List.of(batch))).isEqualTo(expected);
    batch.close();
  }

  /** A dictionary that fails for numbers that it does not have. */
  private static final class FiveValues implements Dictionary {
    private static final double[] VALUES = {1.5, -2, 3e10, 0, 7};

    @Override
    public int decodeToInt(int id) {
      return (int) VALUES[id];
    }

    @Override
    public long decodeToLong(int id) {
      return (long) VALUES[id];
    }

    @Override
    public float decodeToFloat(int id) {
      return (float) VALUES[id];
    }

    @Override
    public double decodeToDouble(int id) {
      return VALUES[id];
    }

    @Override
    public byte[] decodeToBinary(int id) {
      throw new UnsupportedOperationException("these are numbers");
    }
  }

  @Test
  void rowsBeforeOneThatFailsAreThere() {
    StructType sums = new StructType().add("s", DataTypes.LongType);
    int failing = 700;
    boolean[] overflows = new boolean[1000];
    overflows[failing] = true;
    ColumnVector[] columns = new ColumnVector[1];
    ColumnarBatch batch = new ColumnarBatch(columns, overflows.length);
    FailingSums.Named named = new FailingSums.Named("s", new StructType(), batch::getRow);
    columns[0] = new FailingSums(new long[1000], null, overflows, 0, overflows.length, named);
    ColumnRows rows = new ColumnRows(sums, new SQLMetric("sum", 0), new SQLMetric("sum", 0));
    var made =
        rows.createEvaluator().eval(0, ScalaInterop.seqOf(ScalaInterop.seqOf(batch).iterator()));
    for (int i = 0; i < failing; i++) {
      assertThat(made.hasNext()).isTrue();
      assertThat(made.next().getLong(0)).isZero();
    }
    assertThatThrownBy(made::hasNext).hasMessageContaining("long overflow of s");
  }
}
