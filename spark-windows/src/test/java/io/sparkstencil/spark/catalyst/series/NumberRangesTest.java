/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Rows are scattered where they are of many series, and come in no order of these. */
final class NumberRangesTest {
  private static final StructType SCHEMA =
      new StructType().add("series", DataTypes.LongType).add("t", DataTypes.LongType);
  private static final int ROWS = 60_000;

  private SeriesLayout layout;
  private NumberRanges ranges;
  private long rows;

  @BeforeEach
  void create() {
    Seq<Attribute> columns =
        ScalaInterop.seq(ScalaInterop.list(DataTypeUtils.toAttributes(SCHEMA)));
    layout = new SeriesLayout(by(columns, 0), by(columns, 1));
    ranges = new NumberRanges(layout);
  }

  private static RowOrder by(Seq<Attribute> columns, int column) {
    SortOrder order =
        new SortOrder(
            (Expression) columns.apply(column),
            Ascending$.MODULE$,
            NullsFirst$.MODULE$,
            ScalaInterop.seqOf());
    return new RowOrder(ScalaInterop.seqOf(order), columns);
  }

  /** Adds batches as long as rows may be scattered. */
  private void extend(LongUnaryOperator series) {
    UnsafeProjection projection = UnsafeProjection.create(SCHEMA);
    Iterator<InternalRow> all =
        CollectionConverters.asScala(
            LongStream.range(0, ROWS)
                .mapToObj(
                    row ->
                        (InternalRow)
                            projection.apply(
                                new GenericInternalRow(
                                    new Object[] {series.applyAsLong(row), row})))
                .iterator());
    Iterator<InternalRow> batches = ColumnShuffle.batches(all, layout);
    while (batches.hasNext() && ranges.mayBeScattered(rows)) {
      UnsafeRow batch = (UnsafeRow) batches.next();
      long[] columns = new long[layout.rows().words()];
      long at = batch.getBaseOffset() + PackedColumns.HEADER_BYTES;
      for (int word = 0; word < columns.length; word++) {
        columns[word] = at;
        at = PackedColumns.next(batch, at);
      }
      ranges.extend(batch, columns);
      rows += PackedColumns.rows(batch);
    }
  }

  @Test
  void fewSeriesAreSoonFoundNotToBeManyThoughTheirKeysAreFarApart() {
    Random random = new Random(7);
    extend(row -> 1_000_003L * random.nextInt(9));
    assertThat(rows).isBetween(9L << 8, ROWS / 2L);
    assertThat(ranges.isScattered(rows)).isFalse();
  }

  @Test
  void rowsOfOneSeriesAreNotScattered() {
    extend(row -> 77);
    assertThat(rows).isLessThan(ROWS);
    assertThat(ranges.isScattered(rows)).isFalse();
  }

  @Test
  void rowsOfManySeriesAreScatteredUnlessTheyComeTogether() {
    Random random = new Random(8);
    extend(row -> random.nextInt(1 << 20));
    assertThat(rows).isEqualTo(ROWS);
    assertThat(ranges.isScattered(rows)).isTrue();

    create();
    rows = 0;
    extend(row -> 1_000_003L * (row / 100));
    assertThat(rows).isLessThan(ROWS);
    assertThat(ranges.isScattered(rows)).isFalse();
  }

  @Test
  void seriesOfWhichBatchesHaveFewAreManyTogether() {
    Random random = new Random(9);
    extend(row -> 1_000_003L * (row / 4000 * 20 + random.nextInt(20)));
    assertThat(rows).isEqualTo(ROWS);
    assertThat(ranges.isScattered(rows)).isTrue();
  }
}
