/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/**
 * A constant. Floating-point ones are written as their bits, so that no digit is lost.
 *
 * @param text as PTX spells it
 */
public record Literal(String text) implements Operand {
  /** Returns a binary32 constant. */
  public static Literal f32(float value) {
    return new Literal("0f%08X".formatted(Float.floatToRawIntBits(value)));
  }

  /** Returns a binary64 constant. */
  public static Literal f64(double value) {
    return new Literal("0d%016X".formatted(Double.doubleToRawLongBits(value)));
  }

  /** Returns an integer constant of up to 64 bits. */
  public static Literal of(long value) {
    // The most negative 64-bit number cannot be negated digits: PTX reads a sign and a number.
    return new Literal(value == Long.MIN_VALUE ? "0x8000000000000000" : Long.toString(value));
  }
}
