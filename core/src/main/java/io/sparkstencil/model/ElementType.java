/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import io.sparkstencil.error.InvalidStencilException;
import java.util.Arrays;

/**
 * The type of the cells that a stencil reads and writes. Other column types are widened to one of
 * these.
 *
 * <pre>{@code
 * ElementType doubles = ElementType.ofArrays(double[].class); // F64
 * int bytes = doubles.bytes(); // 8
 * }</pre>
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
   * Returns the type of the cells in arrays of a class: {@code float[]}, {@code double[]}, {@code
   * int[]} or {@code long[]}.
   *
   * @throws InvalidStencilException for any other class
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
   * Checks that {@code array} has cells of this type; an RDD whose types are erased may hold other
   * arrays.
   *
   * @throws InvalidStencilException if it has other cells, or is null
   */
  public void requireArray(Object array) {
    if (!arrayClass.isInstance(array)) {
      throw new InvalidStencilException(
          "the RDD holds %s, not %s; pass the class of its arrays"
              .formatted(
                  array == null ? "null" : array.getClass().getSimpleName(),
                  arrayClass.getSimpleName()));
    }
  }

  /** Returns the bytes of one cell. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether cells are IEEE floating-point numbers. */
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
   * Returns whether a cell can hold {@code value}. Integer types hold integers of their range;
   * floating-point types hold any number, which F32 rounds to the nearest float.
   */
  public boolean canHold(double value) {
    return switch (this) {
      case F32, F64 -> true;
      case I32 -> value == (int) value;
      case I64 -> value == Math.rint(value) && value >= -0x1p63 && value < 0x1p63;
    };
  }
}
