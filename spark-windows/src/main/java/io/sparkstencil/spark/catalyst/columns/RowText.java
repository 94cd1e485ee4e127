/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.RowValue;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A row as it is named in messages. */
final class RowText {
  private static final int SHOWN_CHARACTERS = 100;

  /** Names that Spark gives to computed inputs of windows. */
  private static final Pattern OF_WINDOWS = Pattern.compile("_w\\d+");

  private RowText() {}

  /** Returns the names and values of the first columns of a row, without those Spark made. */
  static String of(StructType schema, InternalRow row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schema.size(); i++) {
      StructField field = schema.apply(i);
      if (OF_WINDOWS.matcher(field.name()).matches()) {
        continue;
      }
      if (text.length() > SHOWN_CHARACTERS) {
        return text.append(", ...").toString();
      }
      Object value = new RowValue(field.dataType()).of(row, i);
      text.append(text.isEmpty() ? "" : ", ")
          .append(field.name())
          .append(" = ")
          .append(CatalystTypeConverters.convertToScala(value, field.dataType()));
    }
    return text.toString();
  }
}
