/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import org.apache.spark.sql.types.Decimal;

/** A value of fixed width in a buffer of Spark's, as cells have it. */
final class ResumedValue {
  private ResumedValue() {}

  /** Returns the bits of the cell. */
  static long bits(Object value) {
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    } else if (value instanceof Float number) {
      return Float.floatToRawIntBits(number);
    } else if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    return value instanceof Decimal decimal
        ? decimal.toUnscaledLong()
        : ((Number) value).longValue();
  }
}
