/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.spark.conf.SqlOptions;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** The kinds of values that have switches of their own. */
enum ValueType {
  INTEGRAL,
  FLOATING,
  DECIMAL,
  DATETIME;

  /** Decimals of so many digits are a long in a row. */
  static final int LONG_DIGITS = 18;

  /** Returns the option that says whether stencils compute windows over such values. */
  ConfigOption<Boolean> option() {
    return switch (this) {
      case INTEGRAL -> SqlOptions.INTEGRAL_ENABLED;
      case FLOATING -> SqlOptions.FLOATING_ENABLED;
      case DECIMAL -> SqlOptions.DECIMAL_ENABLED;
      case DATETIME -> SqlOptions.DATETIME_ENABLED;
    };
  }

  /** Returns the kind of a type's values, or null if no stencil takes them. */
  static ValueType of(DataType type) {
    if (type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof LongType) {
      return INTEGRAL;
    } else if (type instanceof FloatType || type instanceof DoubleType) {
      return FLOATING;
    } else if (type instanceof DecimalType decimal && decimal.precision() <= LONG_DIGITS) {
      return DECIMAL;
    } else if (type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof YearMonthIntervalType
        || type instanceof DayTimeIntervalType) {
      return DATETIME;
    }
    return null;
  }
}
