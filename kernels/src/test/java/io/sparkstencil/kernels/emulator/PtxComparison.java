/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static io.sparkstencil.kernels.emulator.Slot.LANES;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.List;

/**
 * {@code setp}: compares two operands in each lane, and combines what holds with a predicate if
 * there is one.
 */
final class PtxComparison extends PtxInstruction {
  private static final List<String> RELATIONS =
      List.of(
          "lt", "le", "eq", "ne", "gt", "ge", "ltu", "leu", "equ", "neu", "gtu", "geu", "num",
          "nan");

  /** Which of less, equal, greater, unordered a relation holds for: bits 0 to 3. */
  private static final int[] HOLDS = {
    0b0001, 0b0011, 0b0010, 0b0101, 0b0100, 0b0110, 0b1001, 0b1011, 0b1010, 0b1101, 0b1100, 0b1110,
    0b0111, 0b1000
  };

  private static final long MASK = 0xFFFF_FFFFL;

  private enum Combined {
    ALONE,
    AND,
    OR
  }

  /** Compares the operands of all lanes; returns a bit for each. */
  private interface Lanes {
    int compare(int[] narrow, long[] wide, int a, int b);
  }

  private final Lanes lanes;
  private final Combined combined;
  private final Slot result;
  private final Slot a;
  private final Slot b;
  private final Slot other; // or nothing

  private PtxComparison(Statement statement, Slots slots, String[] parts) {
    super(statement, slots);
    combined =
        parts.length == 3 ? Combined.ALONE : parts[2].equals("and") ? Combined.AND : Combined.OR;
    String type = parts[parts.length - 1];
    Kind kind = type.endsWith("64") ? Kind.WIDE : Kind.NARROW;
    lanes = lanes(statement, parts[1], type);
    result = slots.read(Kind.PREDICATE, statement.operand(0));
    a = slots.read(kind, statement.operand(1));
    b = slots.read(kind, statement.operand(2));
    other = combined == Combined.ALONE ? null : slots.read(Kind.PREDICATE, statement.operand(3));
  }

  /** Returns the instruction, or null if it is no comparison. */
  static PtxInstruction of(Statement statement, Slots slots) {
    String[] parts = statement.opcode().split("\\.");
    return parts[0].equals("setp") ? new PtxComparison(statement, slots, parts) : null;
  }

  private static Lanes lanes(Statement statement, String relation, String type) {
    int code = RELATIONS.indexOf(relation);
    if (code < 0) {
      throw statement.fault("is unknown to the emulator");
    }
    int holds = HOLDS[code];
    return switch (type) {
      case "s32", "b32" -> (n, w, a, b) -> ofSigned(n, a, b, holds);
      case "u32" -> (n, w, a, b) -> ofUnsigned(n, a, b, holds);
      case "s64", "b64" -> (n, w, a, b) -> ofLongs(w, a, b, holds, 0);
      case "u64" -> (n, w, a, b) -> ofLongs(w, a, b, holds, Long.MIN_VALUE);
      case "f32" -> (n, w, a, b) -> ofSingles(n, a, b, holds);
      case "f64" -> (n, w, a, b) -> ofDoubles(w, a, b, holds);
      default -> throw statement.fault("compares a type that is unknown to the emulator");
    };
  }

  private static int ofSigned(int[] n, int a, int b, int holds) {
    int result = 0;
    for (int i = 0; i < LANES; i++) {
      int order = order(n[a + i], n[b + i]);
      result |= ((holds >>> order) & 1) << i;
    }
    return result;
  }

  private static int ofUnsigned(int[] n, int a, int b, int holds) {
    int result = 0;
    for (int i = 0; i < LANES; i++) {
      int order = order(n[a + i] & MASK, n[b + i] & MASK);
      result |= ((holds >>> order) & 1) << i;
    }
    return result;
  }

  private static int ofLongs(long[] w, int a, int b, int holds, long flip) {
    int result = 0;
    for (int i = 0; i < LANES; i++) {
      int order = order(w[a + i] ^ flip, w[b + i] ^ flip);
      result |= ((holds >>> order) & 1) << i;
    }
    return result;
  }

  private static int order(long x, long y) {
    return x < y ? 0 : x == y ? 1 : 2;
  }

  private static int ofSingles(int[] n, int a, int b, int holds) {
    int result = 0;
    for (int i = 0; i < LANES; i++) {
      float x = Float.intBitsToFloat(n[a + i]);
      float y = Float.intBitsToFloat(n[b + i]);
      int order = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
      result |= ((holds >>> order) & 1) << i;
    }
    return result;
  }

  private static int ofDoubles(long[] w, int a, int b, int holds) {
    int result = 0;
    for (int i = 0; i < LANES; i++) {
      double x = Double.longBitsToDouble(w[a + i]);
      double y = Double.longBitsToDouble(w[b + i]);
      int order = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
      result |= ((holds >>> order) & 1) << i;
    }
    return result;
  }

  @Override
  void run(Warp warp, int active) {
    int holds = lanes.compare(warp.narrow, warp.wide, a.base(), b.base());
    int unknown = warp.undefined[a.id()] | warp.undefined[b.id()];
    if (combined != Combined.ALONE) {
      int with = warp.predicates[other.index()];
      int unknownWith = warp.undefined[other.id()];
      // a known false decides a conjunction, and a known true a disjunction
      int decides = (combined == Combined.AND ? ~with : with) & ~unknownWith;
      unknown = (unknown | unknownWith) & ~decides;
      holds = combined == Combined.AND ? holds & with : holds | with;
    }
    warp.setPredicate(result, holds, unknown, active);
  }
}
