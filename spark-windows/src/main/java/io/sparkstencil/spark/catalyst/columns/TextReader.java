/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads the texts of a column, or the bytes that binary rows have of its values. Of one thread. */
public final class TextReader {
  private final DataType type;
  private UnsafeProjection projection; // of a row that has the column alone, once it is needed
  private ColumnVector shown;
  private ColumnarBatch rows; // this column

  /** Creates a reader of values of a type without a fixed width. */
  public TextReader(DataType type) {
    this.type = Texts.stored(type);
  }

  /** Returns a text that is not null, where its bytes lie in the column or in a copy. */
  public UTF8String read(ColumnVector vector, int row) {
    if (vector instanceof SelectedVector selected) {
      return read(selected.all(), selected.rowOf(row));
    } else if (vector instanceof TextVector texts) {
      return texts.text(row);
    } else if (type instanceof StringType) {
      return vector.getUTF8String(row);
    } else if (!Texts.isText(type)) {
      return readBinary(vector, row);
    }
    return ColumnValues.isOfSpark(vector)
        ? vector.getUTF8String(row)
        : UTF8String.fromBytes(vector.getBinary(row));
  }

  private UTF8String readBinary(ColumnVector vector, int row) {
    if (projection == null) {
      projection = UnsafeProjection.create(ScalaInterop.seqOf(new BoundReference(0, type, true)));
    }
    if (shown != vector) {
      shown = vector;
      rows = new ColumnarBatch(new ColumnVector[] {vector}, Integer.MAX_VALUE);
    }
    return UTF8String.fromBytes(projection.apply(rows.getRow(row)).getBinary(0));
  }
}
