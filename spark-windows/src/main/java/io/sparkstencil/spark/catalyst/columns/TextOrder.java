/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Spark's order of texts of a type, which a collation may give. Used by one thread. */
public final class TextOrder {
  private final DataType type;
  private final boolean byBytes;
  private final Comparator<Object> order;

  /**
   * Creates the order of the values of a type.
   *
   * @param type one that Spark orders, without a fixed width
   */
  public TextOrder(DataType type) {
    this.type = Texts.stored(type);
    this.byBytes = isByBytes(this.type);
    this.order = byBytes ? null : TypeUtils$.MODULE$.getInterpretedOrdering(this.type);
  }

  /** Tells whether texts of a type are in the order of their bytes. */
  public static boolean isByBytes(DataType type) {
    return type instanceof BinaryType || DataTypes.StringType.equals(type);
  }

  /** Compares two texts that are not null. */
  public int compare(TextMemory memory, long one, long other) {
    return compare(memory.text(one), memory.text(other));
  }

  /** Compares two texts that are not null. */
  public int compare(UTF8String one, UTF8String other) {
    return byBytes ? one.compareTo(other) : order.compare(value(one), value(other));
  }

  /** Returns a number for a text, ordered as texts are; those of some that differ are equal. */
  public long prefix(UTF8String text) {
    return byBytes ? text.getPrefix() ^ Long.MIN_VALUE : 0;
  }

  private Object value(UTF8String text) {
    if (type instanceof DecimalType decimal) {
      BigDecimal value = new BigDecimal(new BigInteger(text.getBytes()), decimal.scale());
      return Decimal.apply(value, decimal.precision(), decimal.scale());
    } else if (type instanceof ArrayType) {
      UnsafeArrayData array = new UnsafeArrayData();
      array.pointTo(text.getBaseObject(), text.getBaseOffset(), text.numBytes());
      return array;
    } else if (type instanceof StructType struct) {
      UnsafeRow row = new UnsafeRow(struct.size());
      row.pointTo(text.getBaseObject(), text.getBaseOffset(), text.numBytes());
      return row;
    }
    return text; // of a collation
  }
}
