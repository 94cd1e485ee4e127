/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import scala.collection.Iterator;

/** Columns that come row by row lie beside those of batches, row for row. */
final class MixedBatchesTest {
  private static final StructType SCHEMA = new StructType().add("n", DataTypes.IntegerType);

  /** Returns batches of three rows and a last one of fewer, all beside squares of their numbers. */
  private static Iterator<ColumnarBatch> squares(int rows, int failing) {
    List<ColumnarBatch> batches = new ArrayList<>();
    for (int from = 0; from < rows; from += 3) {
      int[] numbers = IntStream.range(from, Math.min(rows, from + 3)).toArray();
      ColumnVector column =
          new ArrayColumnVector(DataTypes.IntegerType, numbers, null, 0, numbers.length);
      batches.add(new ColumnarBatch(new ColumnVector[] {column}, numbers.length));
    }
    Iterator<Integer> all = ScalaInterop.seq(IntStream.range(0, rows).boxed().toList()).iterator();
    Iterator<InternalRow> values =
        all.map(
            n -> {
              if (n == failing) {
                throw new IllegalArgumentException("number " + n); // as functions of users do
              }
              return (InternalRow) new GenericInternalRow(new Object[] {n * n});
            });
    return new MixedBatches(
        ScalaInterop.seq(batches).iterator(), SCHEMA, values, new int[] {-1, 0});
  }

  private static List<Integer> numbers(ColumnarBatch batch) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < batch.numRows(); i++) {
      numbers.add(batch.column(1).getInt(i));
      assertThat(batch.column(0).getInt(i)).isEqualTo(numbers.get(i) * numbers.get(i));
    }
    return numbers;
  }

  @Test
  void allRowsAreBeside() {
    Iterator<ColumnarBatch> batches = squares(8, -1);
    assertThat(numbers(batches.next())).containsExactly(0, 1, 2);
    assertThat(numbers(batches.next())).containsExactly(3, 4, 5);
    assertThat(numbers(batches.next())).containsExactly(6, 7);
    assertThat(batches.hasNext()).isFalse();
  }

  @Test
  void rowsBeforeOneThatFailsAreABatch() {
    Iterator<ColumnarBatch> batches = squares(8, 5);
    assertThat(numbers(batches.next())).containsExactly(0, 1, 2);
    assertThat(numbers(batches.next())).containsExactly(3, 4);
    assertThatThrownBy(batches::next).hasMessage("number 5");
    assertThatThrownBy(squares(2, 0)::next).hasMessage("number 0");
  }
}
