/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of a kernel's body as text.
 *
 * @param line its number in the text, from 1
 * @param guard the predicate register that guards it, or null
 * @param unless whether it runs where the guard does not hold
 * @param opcode with all its suffixes
 * @param operands as they are written; a vector is one, with its braces
 * @param text the whole line
 */
record Statement(
    int line, String guard, boolean unless, String opcode, List<String> operands, String text) {
  /** Reads a line such as {@code @!%p0 ld.global.v2.f64 {%fd0, %fd1}, [%rd0+16];}. */
  static Statement of(int line, String text) {
    String rest = text.substring(0, text.length() - 1);
    String guard = null;
    boolean unless = false;
    if (rest.startsWith("@")) {
      int end = rest.indexOf(' ');
      unless = rest.charAt(1) == '!';
      guard = rest.substring(unless ? 2 : 1, end);
      rest = rest.substring(end + 1).strip();
    }
    int end = rest.indexOf(' ');
    String opcode = end < 0 ? rest : rest.substring(0, end);
    List<String> operands = end < 0 ? List.of() : split(rest.substring(end + 1));
    return new Statement(line, guard, unless, opcode, operands, text);
  }

  /** Splits at the commas outside of braces. */
  static List<String> split(String list) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    boolean inside = false;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      inside = c == '{' || (inside && c != '}');
      if (c == ',' && !inside) {
        parts.add(list.substring(start, i).strip());
        start = i + 1;
      }
    }
    parts.add(list.substring(start).strip());
    return parts;
  }

  /** Returns the operands within braces, or the one operand there is without. */
  static List<String> vector(String operand) {
    return operand.startsWith("{")
        ? split(operand.substring(1, operand.length() - 1))
        : List.of(operand);
  }

  String operand(int index) {
    return operands.get(index);
  }

  EmulatorFault fault(String what) {
    return new EmulatorFault("line %d, \"%s\": %s".formatted(line, text, what));
  }
}
