/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static io.sparkstencil.kernels.emulator.Slot.Kind.NARROW;
import static io.sparkstencil.kernels.emulator.Slot.Kind.PREDICATE;
import static io.sparkstencil.kernels.emulator.Slot.Kind.WIDE;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The registers of a kernel, by name, with slots for its constants and special registers. */
final class Slots {
  /** What special registers hold. */
  static final List<String> SPECIAL =
      List.of("%tid.x", "%ntid.x", "%ctaid.x", "%ctaid.y", "%nctaid.x", "%nctaid.y", "%laneid");

  /** A constant and where it is. */
  record Constant(Slot slot, long bits) {}

  private final Map<String, Slot> byName = new HashMap<>();
  private final Map<String, Long> symbols = new HashMap<>();
  private final EnumMap<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private final List<Constant> constants = new ArrayList<>();
  private final List<Slot> declared = new ArrayList<>();
  private final Slot none;
  private final EnumMap<Kind, Slot> scratch = new EnumMap<>(Kind.class);
  private int ids;

  Slots() {
    none = add(NARROW, "nothing");
    for (Kind kind : Kind.values()) {
      scratch.put(kind, add(kind, "scratch"));
    }
    SPECIAL.forEach(name -> byName.put(name, add(NARROW, name)));
  }

  private Slot add(Kind kind, String text) {
    int index = counts.merge(kind, 1, Integer::sum) - 1;
    return new Slot(kind, index, ids++, text);
  }

  /** Declares registers, as in {@code .reg .b64 %rd<12>}. */
  void declare(String type, String prefix, int count) {
    Kind kind =
        switch (type) {
          case "pred" -> PREDICATE;
          case "b32", "f32" -> NARROW;
          case "b64", "f64" -> WIDE;
          default -> throw new EmulatorFault("registers of unknown type " + type);
        };
    for (int i = 0; i < count; i++) {
      Slot slot = add(kind, prefix + i);
      byName.put(slot.text(), slot);
      declared.add(slot);
    }
  }

  /** Names a place in memory. */
  void symbol(String name, long address) {
    symbols.put(name, address);
  }

  /** Returns a register that was declared, or a special one. */
  Slot register(String name) {
    Slot slot = byName.get(name);
    if (slot == null) {
      throw new EmulatorFault("register " + name + " is not declared");
    }
    return slot;
  }

  /** Returns the slot of an operand that is read: a register, a constant, or a symbol. */
  Slot read(Kind kind, String operand) {
    Slot slot = operand.startsWith("%") ? register(operand) : constant(kind, operand);
    if (slot.kind() != kind) {
      throw new EmulatorFault("%s is no %s operand".formatted(operand, kind));
    }
    return slot;
  }

  private Slot constant(Kind kind, String operand) {
    long bits = bits(operand);
    String key = kind + " " + bits;
    Slot known = byName.get(key);
    if (known == null) {
      known = add(kind, operand);
      byName.put(key, known);
      constants.add(new Constant(known, bits));
    }
    return known;
  }

  /** Returns the bits of a constant or the address of a symbol. */
  long bits(String operand) {
    Long symbol = symbols.get(operand);
    if (symbol != null) {
      return symbol;
    }
    try {
      if (operand.startsWith("0f")) {
        return Integer.parseUnsignedInt(operand, 2, operand.length(), 16);
      }
      if (operand.startsWith("0d") || operand.startsWith("0x")) {
        return Long.parseUnsignedLong(operand, 2, operand.length(), 16);
      }
      return Long.parseLong(operand);
    } catch (NumberFormatException e) {
      throw new EmulatorFault("unknown operand " + operand);
    }
  }

  /** Returns the slot that instructions with fewer operands name for those that they lack. */
  Slot none() {
    return none;
  }

  Slot scratch(Kind kind) {
    return scratch.get(kind);
  }

  /** Returns the registers that hold nothing when a thread starts. */
  List<Slot> declared() {
    return declared;
  }

  List<Constant> constants() {
    return constants;
  }

  int count(Kind kind) {
    return counts.get(kind);
  }

  /** Returns the slots of all kinds. */
  int all() {
    return ids;
  }
}
