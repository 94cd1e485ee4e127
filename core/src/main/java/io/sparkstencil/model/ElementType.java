/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import io.sparkstencil.error.InvalidStencilException;
import java.util.Arrays;

/**
 * The type of the cells that a stencil reads and writes. Other column types widen to one of these.
 */
public enum ElementType {
  /** IEEE 754 binary32, a Java {@code float}. */
  F32(4, float[].class, true),
  /** IEEE 754 binary64, a Java {@code double}. */
  F64(8, double[].class, true),
  /** Two's complement 32 bits, a Java {@code int}; arithmetic wraps. */
  I32(4, int[].class, false),
  /** Two's complement 64 bits, a Java {@code long}; arithmetic wraps. */
  I64(8, long[].class, false);

  private final int bytes;
  private final Class<?> arrayClass;
  private final boolean floating;

  ElementType(int bytes, Class<?> arrayClass, boolean floating) {
    this.bytes = bytes;
    this.arrayClass = arrayClass;
    this.floating = floating;
  }

  /**
   * Returns the type of the cells of primitive arrays of a class.
   *
   * @throws InvalidStencilException if there is none
   */
  public static ElementType ofArrays(Class<?> arrays) {
    return Arrays.stream(values())
        .filter(type -> type.arrayClass == arrays)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidStencilException(
                    "no stencils over %s; use double[], float[], long[] or int[]"
                        .formatted(arrays.getSimpleName())));
  }

  /**
   * Checks that {@code array}, which an RDD without checked types may have brought, has such cells.
   *
   * @throws InvalidStencilException if it has not, or is null
   */
  public void requireArray(Object array) {
    if (!arrayClass.isInstance(array)) {
      throw new InvalidStencilException(
          "an array is %s where %s was said; say the type of the RDD's arrays"
              .formatted(
                  array == null ? "null" : array.getClass().getSimpleName(),
                  arrayClass.getSimpleName()));
    }
  }

  /** Returns the bytes of one cell. */
  public int bytes() {
    return bytes;
  }

  /** Tells whether cells are IEEE floating-point numbers. */
  public boolean isFloating() {
    return floating;
  }

  /** Returns a new primitive array of {@code length} zeros. */
  public Object newArray(int length) {
    return switch (this) {
      case F32 -> new float[length];
      case F64 -> new double[length];
      case I32 -> new int[length];
      case I64 -> new long[length];
    };
  }

  /**
   * Tells whether {@code value} is a value of this type, so that it can be stored without rounding.
   * Any number is one for F64; for F32 a double that is rounded to the nearest float is accepted.
   */
  public boolean canHold(double value) {
    return switch (this) {
      case F32, F64 -> true;
      case I32 -> value == (int) value;
      case I64 -> value == Math.rint(value) && value >= -0x1p63 && value < 0x1p63;
    };
  }
}
