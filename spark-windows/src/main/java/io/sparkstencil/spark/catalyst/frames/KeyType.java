/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** Values that are ordered as Spark orders them if they are read as a long. */
public enum KeyType {
  BYTE {
    @Override
    long read(UnsafeRow row, int column) {
      return row.getByte(column);
    }
  },
  SHORT {
    @Override
    long read(UnsafeRow row, int column) {
      return row.getShort(column);
    }
  },
  INT {
    @Override
    long read(UnsafeRow row, int column) {
      return row.getInt(column);
    }
  },
  LONG {
    @Override
    long read(UnsafeRow row, int column) {
      return row.getLong(column);
    }
  },
  FLOAT {
    @Override
    long read(UnsafeRow row, int column) {
      return ordered(row.getFloat(column));
    }
  },
  DOUBLE {
    @Override
    long read(UnsafeRow row, int column) {
      return ordered(row.getDouble(column));
    }
  };

  /** Returns what a value is read as, or null if it is none of these. */
  public static KeyType of(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof DayTimeIntervalType) {
      return LONG;
    } else if (type instanceof IntegerType
        || type instanceof DateType
        || type instanceof YearMonthIntervalType) {
      return INT;
    } else if (type instanceof DoubleType) {
      return DOUBLE;
    } else if (type instanceof FloatType) {
      return FLOAT;
    } else if (type instanceof ShortType) {
      return SHORT;
    }
    return type instanceof ByteType ? BYTE : null;
  }

  /** Returns a column's value, which is not null. */
  abstract long read(UnsafeRow row, int column);

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Returns a number's place: both zeros are equal, and NaN is greater than all numbers. */
  public static long ordered(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }
}
