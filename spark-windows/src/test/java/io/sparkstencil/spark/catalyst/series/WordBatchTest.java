/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedRows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Rows become columns, and rows again, byte by byte. */
final class WordBatchTest {
  private static final StructType SCHEMA =
      new StructType()
          .add("t", DataTypes.LongType)
          .add("text", DataTypes.StringType)
          .add("flag", DataTypes.BooleanType)
          .add("days", DataTypes.CalendarIntervalType)
          .add("wide", DataTypes.createDecimalType(38, 4))
          .add("d", DataTypes.DoubleType)
          .add("list", DataTypes.createArrayType(DataTypes.StringType))
          .add("none", DataTypes.NullType);

  private static final int DAYS = 3;

  private final Random random = new Random(64);

  private static SeriesLayout layout() {
    List<Attribute> columns =
        new ArrayList<>(ScalaInterop.list(DataTypeUtils.toAttributes(SCHEMA)));
    return SeriesLayout.ofOneSeries(new RowOrder(ScalaInterop.seqOf(), ScalaInterop.seq(columns)));
  }

  private static UTF8String text(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) ('a' + length % 26));
    return UTF8String.fromBytes(bytes);
  }

  private Object[] values(int index, int longest) {
    Object[] values = {
      random.nextLong(),
      text(random.nextInt(longest)),
      random.nextBoolean(),
      new CalendarInterval(random.nextInt(9), random.nextInt(9), random.nextInt(9)),
      Decimal.apply(new BigDecimal(new BigInteger(100, random), 4), 38, 4),
      random.nextInt(4) == 0 ? -0.0 : random.nextDouble(),
      new GenericArrayData(new Object[] {text(index % 7), null}),
      null
    };
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(6) == 0 ? null : values[i];
    }
    return values;
  }

  private List<UnsafeRow> rows(int count, int longest) {
    UnsafeProjection projection = UnsafeProjection.create(SCHEMA);
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UnsafeRow row = projection.apply(new GenericInternalRow(values(i, longest))).copy();
      if (row.isNullAt(DAYS)) { // whose bytes Spark leaves as they were in the row before
        long at = row.getBaseOffset() + (row.getLong(DAYS) >>> Integer.SIZE);
        Platform.putLong(row.getBaseObject(), at, 0);
        Platform.putLong(row.getBaseObject(), at + Long.BYTES, 0);
      }
      rows.add(row);
    }
    return rows;
  }

  /** Hands rows out as Spark does: each is there until the next is asked for. */
  private static Iterator<InternalRow> handedOut(List<UnsafeRow> rows) {
    UnsafeRow only = UnsafeRow.createFromByteArray(64, SCHEMA.size());
    return CollectionConverters.asScala(rows.iterator())
        .map(
            row -> {
              only.copyFrom(row);
              return (InternalRow) only;
            });
  }

  private static List<UnsafeRow> copies(Iterator<InternalRow> rows) {
    List<UnsafeRow> copies = new ArrayList<>();
    while (rows.hasNext()) {
      copies.add(((UnsafeRow) rows.next()).copy());
    }
    return copies;
  }

  @Test
  void rowsAreBatchesAsTheyAreShuffled() {
    for (int longest : new int[] {1, 40, 70_000}) {
      List<UnsafeRow> rows = rows(longest > 1000 ? 100 : 3000, longest);
      SeriesLayout layout = layout();
      Iterator<InternalRow> batches = ColumnShuffle.batches(handedOut(rows), layout);
      assertThat(copies(new BatchedRows(batches, layout.rows()))).isEqualTo(rows);
    }
  }

  /** Who keeps texts writes their places over the numbers of their bytes. */
  @Test
  void rowsComeBackFromAnyOneOn() {
    WordBatch batch = new WordBatch(layout());
    List<UnsafeRow> rows = rows(5000, 50);
    Iterator<InternalRow> handedOut = handedOut(rows);
    int first = 0;
    while (handedOut.hasNext()) {
      batch.read(handedOut);
      Arrays.fill(batch.values(1), 0, batch.rows(), -1);
      for (int from : new int[] {0, 1, batch.rows() / 2, batch.rows()}) {
        assertThat(copies(batch.rowsFrom(from)))
            .isEqualTo(rows.subList(first + from, first + batch.rows()));
      }
      first += batch.rows();
    }
    assertThat(first).isEqualTo(rows.size());
  }

  @Test
  void wordsOfNullsAreZerosWhateverRowsHave() {
    List<UnsafeRow> rows = rows(200, 9);
    List<UnsafeRow> others = rows.stream().map(UnsafeRow::copy).toList();
    for (UnsafeRow row : others) {
      for (int field : new int[] {0, 2, 5}) {
        if (row.isNullAt(field)) {
          long at = row.getBaseOffset() + (1L + field) * Long.BYTES;
          Platform.putLong(row.getBaseObject(), at, random.nextLong());
        }
      }
    }
    assertThat(others).isNotEqualTo(rows);
    SeriesLayout layout = layout();
    Iterator<InternalRow> batches = ColumnShuffle.batches(handedOut(others), layout);
    assertThat(copies(new BatchedRows(batches, layout.rows()))).isEqualTo(rows);
  }

  @Test
  void wideRowsTakeRoomForThoseThatAreRead() {
    int width = 5000;
    StructType wide = new StructType();
    for (int i = 0; i < width; i++) {
      wide = wide.add("c" + i, i % 2 == 0 ? DataTypes.LongType : DataTypes.StringType);
    }
    Object[] values = new Object[width];
    for (int i = 0; i < width; i += 2) {
      values[i] = (long) i;
    }
    UnsafeRow row = UnsafeProjection.create(wide).apply(new GenericInternalRow(values)).copy();
    List<Attribute> columns = new ArrayList<>(ScalaInterop.list(DataTypeUtils.toAttributes(wide)));
    WordBatch batch =
        new WordBatch(
            SeriesLayout.ofOneSeries(
                new RowOrder(ScalaInterop.seqOf(), ScalaInterop.seq(columns))));
    Iterator<InternalRow> rows = handedOut(Collections.nCopies(60, row));
    int read = 0;
    while (rows.hasNext()) {
      batch.read(rows);
      read += batch.rows();
      assertThat(batch.values(width - 2)[batch.rows() - 1]).isEqualTo(width - 2);
      assertThat(batch.values(0)).hasSizeBetween(batch.rows(), 30);
      assertThat(batch.values(1)).hasSizeBetween(batch.rows(), 30);
    }
    assertThat(read).isEqualTo(60);
  }
}
