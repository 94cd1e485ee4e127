/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import scala.collection.Iterator;

/** Rows are copied to batches, those before a failure too. */
final class BatchPackerTest {
  private static final StructType SCHEMA = new StructType().add("n", DataTypes.IntegerType);

  /** Returns the batches of numbers from 0 on, of which one fails. */
  private static Iterator<ColumnarBatch> batches(int rows, int failing) {
    Iterator<Integer> numbers =
        ScalaInterop.seq(IntStream.range(0, rows).boxed().toList()).iterator();
    return new BatchPacker(SCHEMA)
        .batches(
            numbers.map(
                n -> {
                  if (n == failing) {
                    throw new ArithmeticException("number " + n);
                  }
                  return (InternalRow) new GenericInternalRow(new Object[] {n});
                }));
  }

  @Test
  void allRowsAreThere() {
    Iterator<ColumnarBatch> batches = batches(5000, -1);
    int rows = 0;
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      for (int i = 0; i < batch.numRows(); i++) {
        assertThat(batch.column(0).getInt(i)).isEqualTo(rows++);
      }
    }
    assertThat(rows).isEqualTo(5000);
  }

  @Test
  void rowsBeforeOneThatFailsAreABatch() {
    Iterator<ColumnarBatch> batches = batches(9000, 4099);
    assertThat(batches.next().numRows()).isEqualTo(4096);
    assertThat(batches.next().numRows()).isEqualTo(3);
    assertThatThrownBy(batches::hasNext).hasMessage("number 4099");
    assertThatThrownBy(batches(10, 0)::next).hasMessage("number 0");
  }
}
