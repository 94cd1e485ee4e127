/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.model.ElementType;

/** How PTX spells the operations on an element type. */
public final class PtxCells {
  private PtxCells() {}

  /** Returns the kind of register that holds a cell. */
  public static PtxType registers(ElementType type) {
    return switch (type) {
      case F32 -> PtxType.F32;
      case F64 -> PtxType.F64;
      case I32 -> PtxType.B32;
      case I64 -> PtxType.B64;
    };
  }

  /** Returns the type suffix of arithmetic; that of loads and stores is the registers'. */
  public static String arithmetic(ElementType type) {
    return registers(type).declaration().replace('b', 's');
  }

  /** Returns the add instruction: never contracted, subnormals kept. */
  public static String add(ElementType type) {
    return type.isFloating() ? "add.rn." + arithmetic(type) : "add." + arithmetic(type);
  }

  /** Returns the bits of a cell, converted as Java casts do. */
  public static long bits(ElementType type, double value) {
    return switch (type) {
      case F32 -> Float.floatToRawIntBits((float) value);
      case F64 -> Double.doubleToRawLongBits(value);
      case I32 -> (int) value;
      case I64 -> (long) value;
    };
  }

  /** Returns a constant, converted as Java casts do. */
  public static Literal literal(ElementType type, double value) {
    return switch (type) {
      case F32 -> Literal.f32((float) value);
      case F64 -> Literal.f64(value);
      case I32 -> Literal.of((int) value);
      case I64 -> Literal.of((long) value);
    };
  }
}
