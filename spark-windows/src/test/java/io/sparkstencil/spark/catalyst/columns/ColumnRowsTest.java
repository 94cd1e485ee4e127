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
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
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
    ColumnRows rows = new ColumnRows(SCHEMA, new SQLMetric("sum", 0), new SQLMetric("sum", 0));
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
