/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/** Columns that are computed of those of batches, row by row. */
final class ComputedColumns {
  /** Bytes of texts from which on the rows that follow have to wait. */
  private static final long MOST_TEXT_BYTES = 1L << 24;

  private final List<Expression> expressions;
  private final UnsafeProjection projection;
  private ColumnVector[] made;

  /**
   * Creates what computes them in a task.
   *
   * @param expressions values of fixed width and texts
   * @param input the columns of the batches
   */
  ComputedColumns(List<Expression> expressions, Seq<Attribute> input, int partition) {
    this.expressions = expressions;
    this.projection = UnsafeProjection.create(ScalaInterop.seq(expressions), input);
    projection.initialize(partition);
  }

  /** Computes values of rows from {@code from} on, and returns of how many; all if none is long. */
  int compute(ColumnarBatch batch, int from) {
    int most = batch.numRows() - from;
    long[][] words = new long[expressions.size()][];
    boolean[][] nulls = new boolean[words.length][];
    OnHeapColumnVector[] texts = new OnHeapColumnVector[words.length];
    for (int c = 0; c < words.length; c++) {
      DataType type = expressions.get(c).dataType();
      if (Texts.isText(type)) {
        texts[c] = new OnHeapColumnVector(most, type);
      } else {
        words[c] = new long[most];
      }
    }
    long bytes = 0;
    int count = 0;
    for (; count < most && bytes < MOST_TEXT_BYTES; count++) {
      UnsafeRow row = projection.apply(batch.getRow(from + count));
      for (int c = 0; c < words.length; c++) {
        if (texts[c] != null) {
          bytes += put(row, c, texts[c], count);
          continue;
        }
        words[c][count] = row.getLong(c);
        if (row.isNullAt(c)) {
          nulls[c] = nulls[c] == null ? new boolean[most] : nulls[c];
          nulls[c][count] = true;
        }
      }
    }
    made = new ColumnVector[words.length];
    for (int c = 0; c < made.length; c++) {
      made[c] =
          texts[c] != null
              ? texts[c]
              : new WordVector(expressions.get(c).dataType(), words[c], nulls[c]);
    }
    return count;
  }

  /** Copies a text to a column, and returns its bytes. */
  private static int put(UnsafeRow from, int field, OnHeapColumnVector to, int row) {
    if (from.isNullAt(field)) {
      to.putNull(row);
      return 0;
    }
    UTF8String text = from.getUTF8String(field);
    byte[] memory = (byte[]) text.getBaseObject(); // that of a projection
    int offset = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
    to.putByteArray(row, memory, offset, text.numBytes());
    return text.numBytes();
  }

  /** Returns one of the columns that were computed last. */
  ColumnVector column(int index) {
    return made[index];
  }
}
