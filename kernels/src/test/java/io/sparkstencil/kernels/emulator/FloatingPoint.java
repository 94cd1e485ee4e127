/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static io.sparkstencil.kernels.emulator.Slot.LANES;

import io.sparkstencil.kernels.emulator.Elementwise.Lanes;
import io.sparkstencil.kernels.emulator.Elementwise.Operation;
import java.util.Map;

/**
 * The floating-point arithmetic of single lanes, by opcode. Results are rounded to nearest, once,
 * and keep subnormals.
 */
final class FloatingPoint {
  private static final long MASK = 0xFFFF_FFFFL;

  private final Map<String, Operation> operations;

  private FloatingPoint(Map<String, Operation> operations) {
    this.operations = operations;
  }

  static void addTo(Map<String, Operation> operations) {
    FloatingPoint all = new FloatingPoint(operations);
    all.singles();
    all.otherSingles();
    all.doubles();
    all.otherDoubles();
    all.conversions();
    all.conversionsToDouble();
  }

  private void put(String operands, String opcode, Lanes lanes) {
    operations.put(opcode, new Operation(operands, lanes));
  }

  private void singles() {
    put(
        "nnn",
        "add.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits(f(n[a + i]) + f(n[b + i]));
          }
        });
    put(
        "nnn",
        "sub.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits(f(n[a + i]) - f(n[b + i]));
          }
        });
    put(
        "nnn",
        "mul.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits(f(n[a + i]) * f(n[b + i]));
          }
        });
    put(
        "nnn",
        "div.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits(f(n[a + i]) / f(n[b + i]));
          }
        });
  }

  private void otherSingles() {
    put(
        "nnnn",
        "fma.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits(Math.fma(f(n[a + i]), f(n[b + i]), f(n[c + i])));
          }
        });
    put(
        "nn",
        "sqrt.rn.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits((float) Math.sqrt(f(n[a + i])));
          }
        });
    put(
        "nn",
        "neg.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] ^ 0x8000_0000;
          }
        });
    put(
        "nn",
        "abs.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] & 0x7FFF_FFFF;
          }
        });
  }

  private void doubles() {
    put(
        "www",
        "add.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(d(w[a + i]) + d(w[b + i]));
          }
        });
    put(
        "www",
        "sub.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(d(w[a + i]) - d(w[b + i]));
          }
        });
    put(
        "www",
        "mul.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(d(w[a + i]) * d(w[b + i]));
          }
        });
    put(
        "www",
        "div.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(d(w[a + i]) / d(w[b + i]));
          }
        });
  }

  private void otherDoubles() {
    put(
        "wwww",
        "fma.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(Math.fma(d(w[a + i]), d(w[b + i]), d(w[c + i])));
          }
        });
    put(
        "ww",
        "sqrt.rn.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits(Math.sqrt(d(w[a + i])));
          }
        });
    put(
        "ww",
        "neg.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] ^ Long.MIN_VALUE;
          }
        });
    put(
        "ww",
        "abs.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] & Long.MAX_VALUE;
          }
        });
  }

  private void conversions() {
    put(
        "wn",
        "cvt.s64.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = n[a + i];
          }
        });
    put(
        "wn",
        "cvt.u64.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = n[a + i] & MASK;
          }
        });
    put(
        "nn",
        "cvt.rn.f32.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits((float) n[a + i]);
          }
        });
    put(
        "nn",
        "cvt.rn.f32.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits((float) (n[a + i] & MASK));
          }
        });
  }

  private void conversionsToDouble() {
    put(
        "wn",
        "cvt.rn.f64.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits((double) n[a + i]);
          }
        });
    put(
        "wn",
        "cvt.rn.f64.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits((double) (n[a + i] & MASK));
          }
        });
    put(
        "ww",
        "cvt.rn.f64.s64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits((double) w[a + i]);
          }
        });
    put(
        "wn",
        "cvt.f64.f32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = bits((double) f(n[a + i]));
          }
        });
    put(
        "nw",
        "cvt.rn.f32.f64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = bits((float) d(w[a + i]));
          }
        });
  }

  private static float f(int bits) {
    return Float.intBitsToFloat(bits);
  }

  private static double d(long bits) {
    return Double.longBitsToDouble(bits);
  }

  /** Returns the bits of a result; every NaN has the same, whatever the host makes of it. */
  private static int bits(float value) {
    return Float.floatToIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }
}
