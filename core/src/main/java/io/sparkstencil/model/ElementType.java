/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

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

  /** Returns the bytes of one cell. */
  public int bytes() {
    return bytes;
  }

  /** Returns the class of a primitive array of such cells, {@code float[].class} for F32. */
  public Class<?> arrayClass() {
    return arrayClass;
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
