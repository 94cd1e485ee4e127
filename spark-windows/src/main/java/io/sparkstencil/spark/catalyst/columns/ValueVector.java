/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
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
 * A read-only column of values as Spark has them, with a column of each of their parts. Spark's own
 * converter takes not all types, and gives intervals that follow a null to other rows.
 */
final class ValueVector extends ColumnVector {
  private final Object[] values;
  private final ColumnVector[] parts;
  private final int[] starts; // of the elements of each array or map among those of all

  private ValueVector(DataType type, Object[] values, ColumnVector[] parts, int[] starts) {
    super(type);
    this.values = values;
    this.parts = parts;
    this.starts = starts;
  }

  /** Returns a column of values that {@link #read} has returned; null where there is none. */
  static ColumnVector of(DataType of, Object[] values) {
    DataType type = Texts.stored(of);
    if (type instanceof ArrayType array) {
      int[] starts = starts(values, value -> ((ArrayData) value).numElements());
      Object[] elements = elements(values, array.elementType(), ArrayData.class::cast);
      return new ValueVector(type, values, parts(of(array.elementType(), elements)), starts);
    } else if (type instanceof MapType map) {
      int[] starts = starts(values, value -> ((MapData) value).numElements());
      Object[] keys = elements(values, map.keyType(), value -> ((MapData) value).keyArray());
      Object[] mapped = elements(values, map.valueType(), value -> ((MapData) value).valueArray());
      return new ValueVector(
          type, values, parts(of(map.keyType(), keys), of(map.valueType(), mapped)), starts);
    } else if (type instanceof StructType struct) {
      ColumnVector[] fields = new ColumnVector[struct.size()];
      for (int i = 0; i < fields.length; i++) {
        int field = i;
        DataType fieldType = struct.apply(i).dataType();
        fields[i] = of(fieldType, each(values, v -> read((InternalRow) v, field, fieldType)));
      }
      return new ValueVector(type, values, fields, null);
    } else if (type instanceof VariantType) {
      Object[] bytes = each(values, value -> ((VariantVal) value).getValue());
      Object[] names = each(values, value -> ((VariantVal) value).getMetadata());
      DataType binary = DataTypes.BinaryType;
      return new ValueVector(type, values, parts(of(binary, bytes), of(binary, names)), null);
    }
    return new ValueVector(type, values, parts(), null);
  }

  private static ColumnVector[] parts(ColumnVector... parts) {
    return parts;
  }

  private static Object[] each(Object[] values, Function<Object, Object> part) {
    return Stream.of(values).map(value -> value == null ? null : part.apply(value)).toArray();
  }

  private static int[] starts(Object[] values, Function<Object, Integer> length) {
    int[] starts = new int[values.length];
    for (int i = 1; i < values.length; i++) {
      int before = values[i - 1] == null ? 0 : length.apply(values[i - 1]);
      starts[i] = Math.addExact(starts[i - 1], before);
    }
    return starts;
  }

  private static Object[] elements(
      Object[] values, DataType type, Function<Object, ArrayData> array) {
    List<Object> all = new ArrayList<>();
    for (Object value : values) {
      ArrayData elements = value == null ? null : array.apply(value);
      for (int i = 0; elements != null && i < elements.numElements(); i++) {
        all.add(read(elements, i, type));
      }
    }
    return all.toArray();
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
    return numNulls() > 0;
  }

  @Override
  public int numNulls() {
    return (int) Stream.of(values).filter(value -> value == null).count();
  }

  @Override
  public boolean isNullAt(int row) {
    return values[row] == null;
  }

  @Override
  public boolean getBoolean(int row) {
    return values[row] != null && (Boolean) values[row];
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
    return values[row] == null ? 0 : (Number) values[row];
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return (Decimal) values[row];
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return (UTF8String) values[row];
  }

  @Override
  public byte[] getBinary(int row) {
    return (byte[]) values[row];
  }

  @Override
  public CalendarInterval getInterval(int row) {
    return (CalendarInterval) values[row];
  }

  @Override
  public ColumnarArray getArray(int row) {
    return values[row] instanceof ArrayData array
        ? new ColumnarArray(parts[0], starts[row], array.numElements())
        : null;
  }

  @Override
  public ColumnarMap getMap(int row) {
    return values[row] instanceof MapData map
        ? new ColumnarMap(parts[0], parts[1], starts[row], map.numElements())
        : null;
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return parts[ordinal];
  }
}
