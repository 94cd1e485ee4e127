/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;

/**
 * The type of cells in a file, and how their bytes are ordered.
 *
 * @param type the type
 * @param bigEndian whether the most significant byte comes first
 */
public record CellFormat(CellType type, boolean bigEndian) implements Serializable {
  private static final Map<String, CellType> NUMPY_TYPES =
      Map.ofEntries(
          Map.entry("b1", CellType.BOOL),
          Map.entry("i1", CellType.INT8),
          Map.entry("i2", CellType.INT16),
          Map.entry("i4", CellType.INT32),
          Map.entry("i8", CellType.INT64),
          Map.entry("u1", CellType.UINT8),
          Map.entry("u2", CellType.UINT16),
          Map.entry("u4", CellType.UINT32),
          Map.entry("u8", CellType.UINT64),
          Map.entry("f2", CellType.FLOAT16),
          Map.entry("f4", CellType.FLOAT32),
          Map.entry("f8", CellType.FLOAT64));

  /** Returns the format that NumPy calls {@code <f4}, for example, or nothing for other cells. */
  public static Optional<CellFormat> ofNumpy(String name) {
    String order = name.isEmpty() ? "" : name.substring(0, 1);
    CellType type = NUMPY_TYPES.get(name.isEmpty() ? "" : name.substring(1));
    boolean known =
        "<".equals(order)
            || ">".equals(order)
            || ("|".equals(order) && type != null && type.bytes() == 1);
    return type == null || !known
        ? Optional.empty()
        : Optional.of(new CellFormat(type, ">".equals(order)));
  }

  /** Returns the order of the bytes of a number. */
  public ByteOrder order() {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  /**
   * Converts cells of a file.
   *
   * @param bytes the cells' bytes, from the buffer's position on; the position is not moved
   * @param to a {@code float[]} or {@code double[]}
   * @param at the index of the first cell to write
   * @param count the number of cells
   */
  public void decode(ByteBuffer bytes, Object to, int at, int count) {
    ByteBuffer from = bytes.slice().order(order());
    if (to instanceof float[] floats) {
      if (type == CellType.FLOAT32) {
        from.asFloatBuffer().get(floats, at, count);
        return;
      }
      for (int i = 0; i < count; i++) {
        floats[at + i] = asFloat(from, i * type.bytes());
      }
    } else {
      double[] doubles = (double[]) to;
      if (type == CellType.FLOAT64) {
        from.asDoubleBuffer().get(doubles, at, count);
        return;
      }
      for (int i = 0; i < count; i++) {
        doubles[at + i] = asDouble(from, i * type.bytes());
      }
    }
  }

  /**
   * Writes the bytes of cells, and moves the buffer's position behind them.
   *
   * @param from a {@code float[]} or {@code double[]} of the same type as this format
   * @param at the index of the first cell
   * @param count the number of cells
   */
  public void encode(Object from, int at, int count, ByteBuffer bytes) {
    bytes.order(order());
    if (from instanceof float[] floats) {
      bytes.asFloatBuffer().put(floats, at, count);
    } else {
      bytes.asDoubleBuffer().put((double[]) from, at, count);
    }
    bytes.position(bytes.position() + count * type.bytes());
  }

  /** Returns the bytes of a single number, whose low bits an integer type takes. */
  ByteBuffer encoded(Number number) {
    ByteBuffer bytes = ByteBuffer.allocate(type.bytes()).order(order());
    if (type.isFloating()) {
      put(bytes, number.doubleValue());
    } else {
      put(bytes, number.longValue());
    }
    return bytes.flip();
  }

  /**
   * Writes an integer, of which an integer type takes the low bits, into a buffer of this order.
   */
  public void put(ByteBuffer bytes, long number) {
    switch (type) {
      case BOOL, INT8, UINT8 -> bytes.put((byte) number);
      case INT16, UINT16 -> bytes.putShort((short) number);
      case INT32, UINT32 -> bytes.putInt((int) number);
      case INT64, UINT64 -> bytes.putLong(number);
      case FLOAT16, FLOAT32, FLOAT64 -> put(bytes, (double) number);
    }
  }

  /** Writes a number, of which an integer type takes the whole part. */
  public void put(ByteBuffer bytes, double number) {
    switch (type) {
      case FLOAT16 -> bytes.putShort(HalfFloats.bits(number));
      case FLOAT32 -> bytes.putFloat((float) number);
      case FLOAT64 -> bytes.putDouble(number);
      default -> put(bytes, (long) number);
    }
  }

  // Integers of 64 bits are rounded once: to a float not by way of a double.
  private float asFloat(ByteBuffer from, int at) {
    if (type.isFloating()) {
      return (float) floating(from, at);
    }
    long value = integer(from, at);
    return type == CellType.UINT64 && value < 0 ? 2 * (float) halved(value) : (float) value;
  }

  /** Returns a number at a byte of a buffer of this order, rounded to double. */
  public double asDouble(ByteBuffer from, int at) {
    if (type.isFloating()) {
      return floating(from, at);
    }
    long value = integer(from, at);
    return type == CellType.UINT64 && value < 0 ? 2 * (double) halved(value) : (double) value;
  }

  /** Half of an unsigned number; the lowest bit stays set if it was, so that rounding sees it. */
  private static long halved(long unsigned) {
    return (unsigned >>> 1) | (unsigned & 1);
  }

  double floating(ByteBuffer from, int at) {
    return switch (type) {
      case FLOAT16 -> HalfFloats.number(from.getShort(at));
      case FLOAT32 -> from.getFloat(at);
      default -> from.getDouble(at);
    };
  }

  /** Returns an integer at a byte of a buffer of this order; those of UINT64 wrap. */
  public long integer(ByteBuffer from, int at) {
    return switch (type) {
      case BOOL -> from.get(at) == 0 ? 0 : 1;
      case INT8 -> from.get(at);
      case UINT8 -> from.get(at) & 0xff;
      case INT16 -> from.getShort(at);
      case UINT16 -> from.getShort(at) & 0xffff;
      case INT32 -> from.getInt(at);
      case UINT32 -> from.getInt(at) & 0xffffffffL;
      case INT64, UINT64 -> from.getLong(at);
      case FLOAT16, FLOAT32, FLOAT64 ->
          throw new IllegalStateException(type + " is not an integer");
    };
  }
}
