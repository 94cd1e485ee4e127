/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;

/** Arrays of arrays of numbers, as Spark has them. */
final class TileArrays {
  private static final Set<DataType> NUMBERS =
      Set.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);

  private TileArrays() {}

  /** Returns the type of the cells, or null if the type is none of arrays of arrays of numbers. */
  static DataType cells(DataType tiles) {
    return tiles instanceof ArrayType rows
            && rows.elementType() instanceof ArrayType cells
            && cellBytes(cells.elementType()) > 0
        ? cells.elementType()
        : null;
  }

  /** Returns the bytes of a cell; 0 for what is no number of some bytes. */
  static int cellBytes(DataType cells) {
    return NUMBERS.contains(cells) ? cells.defaultSize() : 0;
  }

  /** Returns a row of a tile. */
  static UnsafeArrayData row(ArrayData tile, int row, DataType cells) {
    if (tile.isNullAt(row)) {
      throw new BadDataException(
          "row %d of a tile is null; write an array of nulls in its place".formatted(row));
    }
    ArrayData array = tile.getArray(row);
    return array instanceof UnsafeArrayData unsafe ? unsafe : copy(array, cells);
  }

  /** Copies an array of another kind, such as one in columns. */
  private static UnsafeArrayData copy(ArrayData array, DataType cells) {
    int count = array.numElements();
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      nulls += array.isNullAt(i) ? 1 : 0;
    }
    if (nulls == 0) {
      return copyAll(array, cells);
    }
    UnsafeArrayData copy = empty(count, cellBytes(cells));
    for (int i = 0; i < count; i++) {
      if (array.isNullAt(i)) {
        copy.setNullAt(i);
      } else {
        set(copy, i, array, cells);
      }
    }
    return copy;
  }

  private static UnsafeArrayData copyAll(ArrayData array, DataType cells) {
    return switch (cells.typeName()) {
      case "byte" -> UnsafeArrayData.fromPrimitiveArray(array.toByteArray());
      case "short" -> UnsafeArrayData.fromPrimitiveArray(array.toShortArray());
      case "integer" -> UnsafeArrayData.fromPrimitiveArray(array.toIntArray());
      case "long" -> UnsafeArrayData.fromPrimitiveArray(array.toLongArray());
      case "float" -> UnsafeArrayData.fromPrimitiveArray(array.toFloatArray());
      default -> UnsafeArrayData.fromPrimitiveArray(array.toDoubleArray());
    };
  }

  private static void set(UnsafeArrayData copy, int index, ArrayData from, DataType cells) {
    switch (cells.typeName()) {
      case "byte" -> copy.setByte(index, from.getByte(index));
      case "short" -> copy.setShort(index, from.getShort(index));
      case "integer" -> copy.setInt(index, from.getInt(index));
      case "long" -> copy.setLong(index, from.getLong(index));
      case "float" -> copy.setFloat(index, from.getFloat(index));
      default -> copy.setDouble(index, from.getDouble(index));
    }
  }

  /** Returns an array of zeros. */
  private static UnsafeArrayData empty(int count, int cellBytes) {
    long bytes =
        UnsafeArrayData.calculateHeaderPortionInBytes((long) count)
            + ((long) count * cellBytes + 7) / 8 * 8;
    byte[] made = new byte[Math.toIntExact(bytes)];
    Platform.putLong(made, Platform.BYTE_ARRAY_OFFSET, count);
    UnsafeArrayData array = new UnsafeArrayData();
    array.pointTo(made, Platform.BYTE_ARRAY_OFFSET, made.length);
    return array;
  }
}
