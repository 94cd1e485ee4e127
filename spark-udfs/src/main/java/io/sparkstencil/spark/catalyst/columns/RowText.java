/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A row as it is named in messages. */
final class RowText {
  private static final int SHOWN_CHARACTERS = 100;

  private RowText() {}

  /** Returns the names and values of the first columns of a row. */
  static String of(StructType schema, InternalRow row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schema.size(); i++) {
      StructField field = schema.apply(i);
      if (text.length() > SHOWN_CHARACTERS) {
        return text.append(", ...").toString();
      }
      Object value = row.isNullAt(i) ? null : row.get(i, field.dataType());
      text.append(i == 0 ? "" : ", ")
          .append(field.name())
          .append(" = ")
          .append(CatalystTypeConverters.convertToScala(value, field.dataType()));
    }
    return text.toString();
  }
}
