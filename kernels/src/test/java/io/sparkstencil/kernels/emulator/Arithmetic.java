/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static io.sparkstencil.kernels.emulator.Slot.LANES;

import io.sparkstencil.kernels.emulator.Elementwise.Lanes;
import io.sparkstencil.kernels.emulator.Elementwise.Operation;
import java.util.HashMap;
import java.util.Map;

/**
 * The arithmetic of single lanes, by opcode. Each operation has a loop of its own, so that the
 * compiler sees through it.
 */
final class Arithmetic {
  private static final long MASK = 0xFFFF_FFFFL;
  static final Map<String, Operation> OPERATIONS = new HashMap<>();

  static {
    sums();
    products();
    wideProducts();
    divisions();
    bits();
    counts();
    shifts();
    wideBits();
    wideShifts();
    extremes();
    wideExtremes();
    FloatingPoint.addTo(OPERATIONS);
  }

  private Arithmetic() {}

  private static void put(String operands, String opcodes, Lanes lanes) {
    for (String opcode : opcodes.split(" ")) {
      OPERATIONS.put(opcode, new Operation(operands, lanes));
    }
  }

  private static void sums() {
    put(
        "nnn",
        "add.s32 add.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] + n[b + i];
          }
        });
    put(
        "nnn",
        "sub.s32 sub.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] - n[b + i];
          }
        });
    put(
        "www",
        "add.s64 add.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] + w[b + i];
          }
        });
    put(
        "www",
        "sub.s64 sub.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] - w[b + i];
          }
        });
  }

  private static void products() {
    put(
        "nnn",
        "mul.lo.s32 mul.lo.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] * n[b + i];
          }
        });
    put(
        "nnnn",
        "mad.lo.s32 mad.lo.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] * n[b + i] + n[c + i];
          }
        });
    put(
        "www",
        "mul.lo.s64 mul.lo.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] * w[b + i];
          }
        });
    put(
        "wwww",
        "mad.lo.s64 mad.lo.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] * w[b + i] + w[c + i];
          }
        });
  }

  private static void wideProducts() {
    put(
        "wnn",
        "mul.wide.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (long) n[a + i] * n[b + i];
          }
        });
    put(
        "wnn",
        "mul.wide.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (n[a + i] & MASK) * (n[b + i] & MASK);
          }
        });
    put(
        "wnnw",
        "mad.wide.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (long) n[a + i] * n[b + i] + w[c + i];
          }
        });
    put(
        "wnnw",
        "mad.wide.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (n[a + i] & MASK) * (n[b + i] & MASK) + w[c + i];
          }
        });
  }

  private static void divisions() {
    put(
        "nnn",
        "div.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[b + i] == 0 ? -1 : Integer.divideUnsigned(n[a + i], n[b + i]);
          }
        });
    put(
        "nnn",
        "rem.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[b + i] == 0 ? n[a + i] : Integer.remainderUnsigned(n[a + i], n[b + i]);
          }
        });
    put(
        "nnn",
        "div.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[b + i] == 0 ? -1 : n[a + i] / n[b + i];
          }
        });
    put(
        "nnn",
        "rem.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[b + i] == 0 ? n[a + i] : n[a + i] % n[b + i];
          }
        });
  }

  private static void bits() {
    put(
        "nnn",
        "and.b32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] & n[b + i];
          }
        });
    put(
        "nnn",
        "or.b32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] | n[b + i];
          }
        });
    put(
        "nnn",
        "xor.b32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] ^ n[b + i];
          }
        });
  }

  private static void counts() {
    put(
        "nn",
        "popc.b32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = Integer.bitCount(n[a + i]);
          }
        });
  }

  private static void shifts() {
    put(
        "nnn",
        "shl.b32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = (n[b + i] & ~31) == 0 ? n[a + i] << n[b + i] : 0;
          }
        });
    put(
        "nnn",
        "shr.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = (n[b + i] & ~31) == 0 ? n[a + i] >>> n[b + i] : 0;
          }
        });
    put(
        "nnn",
        "shr.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = n[a + i] >> ((n[b + i] & ~31) == 0 ? n[b + i] : 31);
          }
        });
    put(
        "nnnn",
        "bfe.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = field(n[a + i], n[b + i] & 255, n[c + i] & 255);
          }
        });
  }

  private static void wideBits() {
    put(
        "www",
        "or.b64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] | w[b + i];
          }
        });
    put(
        "www",
        "and.b64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] & w[b + i];
          }
        });
    put(
        "www",
        "xor.b64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] ^ w[b + i];
          }
        });
    put(
        "nw",
        "cvt.u32.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = (int) w[a + i];
          }
        });
  }

  private static void wideShifts() {
    put(
        "wwn",
        "shr.s64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = w[a + i] >> ((n[b + i] & ~63) == 0 ? n[b + i] : 63);
          }
        });
    put(
        "wwn",
        "shl.b64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (n[b + i] & ~63) == 0 ? w[a + i] << n[b + i] : 0;
          }
        });
    put(
        "wwn",
        "shr.u64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = (n[b + i] & ~63) == 0 ? w[a + i] >>> n[b + i] : 0;
          }
        });
  }

  private static void extremes() {
    put(
        "nnn",
        "min.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = Math.min(n[a + i], n[b + i]);
          }
        });
    put(
        "nnn",
        "max.s32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = Math.max(n[a + i], n[b + i]);
          }
        });
    put(
        "nnn",
        "min.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = Integer.compareUnsigned(n[a + i], n[b + i]) < 0 ? n[a + i] : n[b + i];
          }
        });
    put(
        "nnn",
        "max.u32",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            n[d + i] = Integer.compareUnsigned(n[a + i], n[b + i]) > 0 ? n[a + i] : n[b + i];
          }
        });
  }

  private static void wideExtremes() {
    put(
        "www",
        "min.s64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = Math.min(w[a + i], w[b + i]);
          }
        });
    put(
        "www",
        "max.s64",
        (n, w, d, a, b, c) -> {
          for (int i = 0; i < LANES; i++) {
            w[d + i] = Math.max(w[a + i], w[b + i]);
          }
        });
  }

  /** Returns {@code count} bits of a word from {@code first} on. */
  private static int field(int word, int first, int count) {
    int from = first > 31 ? 0 : word >>> first;
    return count > 31 ? from : from & ((1 << count) - 1);
  }
}
