/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.unsafe.types.VariantVal;

/**
 * A read-only column of values that are read when they are asked for, of which the last one stays.
 * Parts of values are such columns too. Used by one thread.
 *
 * <p>Spark's own converter of rows takes not all types, and gives intervals that follow a null to
 * other rows.
 */
final class ValueVector extends ColumnVector {
  private static final int NONE = -1;
  private static final int VARIANT_PARTS = 2;

  private final int rows;
  private final IntFunction<Object> reader;
  private final ColumnVector[] parts; // of structs and variants, once they were asked for
  private int last = NONE; // row
  private Object value; // of it

  /**
   * Creates a column.
   *
   * @param reader returns the value of a row as {@link #read} does, null if there is none
   */
  ValueVector(DataType of, int rows, IntFunction<Object> reader) {
    super(Texts.stored(of));
    this.rows = rows;
    this.reader = reader;
    this.parts =
        new ColumnVector[type instanceof StructType struct ? struct.size() : VARIANT_PARTS];
  }

  private static ColumnVector elements(ArrayData array, DataType type) {
    return new ValueVector(type, array.numElements(), i -> read(array, i, type));
  }

  private Object value(int row) {
    if (row != last) {
      value = reader.apply(row);
      last = row;
    }
    return value;
  }

  /** Returns a value of a binary row or array; null if there is none. */
  static Object read(SpecializedGetters from, int at, DataType of) {
    DataType type = Texts.stored(of);
    WordType word = WordType.kept(type);
    if (from.isNullAt(at)) {
      return null;
    } else if (type instanceof DecimalType decimal) {
      return from.getDecimal(at, decimal.precision(), decimal.scale());
    } else if (word != null) {
      return readWord(from, at, word);
    } else if (type instanceof StringType) {
      return from.getUTF8String(at);
    } else if (type instanceof ArrayType) {
      return from.getArray(at);
    } else if (type instanceof MapType) {
      return from.getMap(at);
    } else if (type instanceof StructType struct) {
      return from.getStruct(at, struct.size());
    } else if (type instanceof CalendarIntervalType) {
      return from.getInterval(at);
    }
    return type instanceof VariantType ? from.getVariant(at) : from.getBinary(at);
  }

  private static Object readWord(SpecializedGetters from, int at, WordType word) {
    return switch (word) {
      case LONG -> from.getLong(at);
      case DOUBLE -> from.getDouble(at);
      case FLOAT -> from.getFloat(at);
      case INT -> from.getInt(at);
      case SHORT -> from.getShort(at);
      case BYTE -> from.getByte(at);
      case BOOLEAN -> from.getBoolean(at);
    };
  }

  @Override
  public void close() {
    // The garbage collector owns the values.
  }

  @Override
  public boolean hasNull() {
    return IntStream.range(0, rows).anyMatch(this::isNullAt);
  }

  @Override
  public int numNulls() {
    return (int) IntStream.range(0, rows).filter(this::isNullAt).count();
  }

  @Override
  public boolean isNullAt(int row) {
    return value(row) == null;
  }

  @Override
  public boolean getBoolean(int row) {
    return value(row) instanceof Boolean is && is;
  }

  @Override
  public byte getByte(int row) {
    return number(row).byteValue();
  }

  @Override
  public short getShort(int row) {
    return number(row).shortValue();
  }

  @Override
  public int getInt(int row) {
    return number(row).intValue();
  }

  @Override
  public long getLong(int row) {
    return number(row).longValue();
  }

  @Override
  public float getFloat(int row) {
    return number(row).floatValue();
  }

  @Override
  public double getDouble(int row) {
    return number(row).doubleValue();
  }

  /** Returns a number, some for a null: arrays are copied with what their nulls have. */
  private Number number(int row) {
    return value(row) instanceof Number number ? number : 0;
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return (Decimal) value(row);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return (UTF8String) value(row);
  }

  @Override
  public byte[] getBinary(int row) {
    return (byte[]) value(row);
  }

  @Override
  public CalendarInterval getInterval(int row) {
    return (CalendarInterval) value(row);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return value(row) instanceof ArrayData array
        ? new ColumnarArray(
            elements(array, ((ArrayType) type).elementType()), 0, array.numElements())
        : null;
  }

  @Override
  public ColumnarMap getMap(int row) {
    return value(row) instanceof MapData map
        ? new ColumnarMap(
            elements(map.keyArray(), ((MapType) type).keyType()),
            elements(map.valueArray(), ((MapType) type).valueType()),
            0,
            map.numElements())
        : null;
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    if (parts[ordinal] == null) {
      DataType of =
          type instanceof StructType struct
              ? struct.apply(ordinal).dataType()
              : DataTypes.BinaryType;
      parts[ordinal] = new ValueVector(of, rows, row -> part(value(row), ordinal, of));
    }
    return parts[ordinal];
  }

  /** Returns a field of a struct, or the value or the names of a variant. */
  private static Object part(Object value, int ordinal, DataType type) {
    if (value instanceof VariantVal variant) {
      return ordinal == 0 ? variant.getValue() : variant.getMetadata();
    }
    return value == null ? null : read((InternalRow) value, ordinal, type);
  }
}
