/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.model.ElementType;

/** The types of cells that files have and fields can be read from. */
public enum CellType {
  /** A byte: zero is false and read as 0, anything else is read as 1. */
  BOOL(1, false),
  /** Two's complement 8 bits. */
  INT8(1, false),
  /** Two's complement 16 bits. */
  INT16(2, false),
  /** Two's complement 32 bits. */
  INT32(4, false),
  /** Two's complement 64 bits. */
  INT64(8, false),
  /** Unsigned 8 bits. */
  UINT8(1, false),
  /** Unsigned 16 bits. */
  UINT16(2, false),
  /** Unsigned 32 bits. */
  UINT32(4, false),
  /** Unsigned 64 bits. */
  UINT64(8, false),
  /** IEEE 754 binary16. */
  FLOAT16(2, true),
  /** IEEE 754 binary32. */
  FLOAT32(4, true),
  /** IEEE 754 binary64. */
  FLOAT64(8, true);

  private final int bytes;
  private final boolean floating;

  CellType(int bytes, boolean floating) {
    this.bytes = bytes;
    this.floating = floating;
  }

  /**
   * Returns the type of files whose cells are of an element type.
   *
   * @throws FieldFileException for integers, which fields are not made of
   */
  public static CellType of(ElementType type) {
    return switch (type) {
      case F32 -> FLOAT32;
      case F64 -> FLOAT64;
      case I32, I64 ->
          throw FieldFileException.wrongCall(
              "fields of %s cells are not read or written; use F32 or F64".formatted(type));
    };
  }

  /**
   * Returns what helps where cells are of a type that is not read: complex ones have two parts.
   *
   * @param name the type, as NumPy or Zarr calls it
   * @param otherwise what helps for other types
   */
  public static String remedy(String name, String otherwise) {
    return name.matches("([<>|=]c\\d+)|complex.*")
        ? "save the real and the imaginary part as two arrays, array.real and array.imag"
        : otherwise;
  }

  /** Returns the bytes of one cell. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether cells are IEEE floating-point numbers. */
  public boolean isFloating() {
    return floating;
  }

  /** Returns whether a cell can be a number, which is rounded for floating-point types alone. */
  public boolean holds(Number number) {
    return floating || new IntegerCells(this, this).cell(number).isPresent();
  }

  /** Returns the narrowest floating type that holds all values; F64 for integers of 64 bits. */
  public ElementType element() {
    return this == FLOAT32 || bytes < 4 ? ElementType.F32 : ElementType.F64;
  }

  /** Returns a number as cells of this floating type hold it: rounded to the nearest. */
  public double rounded(Number number) {
    return switch (this) {
      case FLOAT16 -> HalfFloats.rounded(number.doubleValue());
      case FLOAT32 -> number.floatValue();
      default -> number.doubleValue();
    };
  }
}
