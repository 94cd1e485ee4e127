/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the text of one module with one kernel: one call writes one line, opcodes spelled as in
 * the PTX manual. An operand is an {@link Operand}, an integer, which is written as a constant, or
 * null, which is left out. Registers are numbered here and declared when the text is finished. Used
 * for one kernel and by one thread.
 */
public class PtxWriter {
  private final StringBuilder moduleScope = new StringBuilder();
  private final List<String> parameters = new ArrayList<>();
  private final StringBuilder body = new StringBuilder();
  private final Map<PtxType, Integer> counts = new EnumMap<>(PtxType.class);
  private int labels;

  /** Returns a register that nothing uses yet. */
  public Register register(PtxType type) {
    int index = counts.merge(type, 1, Integer::sum) - 1;
    return new Register(type, index);
  }

  /** Returns {@code count} unused registers. */
  public List<Register> registers(PtxType type, int count) {
    List<Register> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      made.add(register(type));
    }
    return made;
  }

  /** Writes an instruction whose first operand is a new register of {@code type}; returns it. */
  public Register make(PtxType type, String opcode, Object... sources) {
    Register result = register(type);
    put(opcode, Stream.concat(Stream.of(result), Stream.of(sources)).toArray());
    return result;
  }

  /** Writes an instruction whose result is a new 32-bit integer; returns that. */
  public Register b32(String opcode, Object... sources) {
    return make(PtxType.B32, opcode, sources);
  }

  /** Writes an instruction whose result is a new 64-bit integer or address; returns that. */
  public Register b64(String opcode, Object... sources) {
    return make(PtxType.B64, opcode, sources);
  }

  /** Writes an instruction whose result is a new truth value; returns that. */
  public Register test(String opcode, Object... sources) {
    return make(PtxType.PREDICATE, opcode, sources);
  }

  /** Writes an instruction. */
  public void put(String opcode, Object... operands) {
    line("", opcode, operands);
  }

  /** Loads registers of one type, 1, 2 or 4, by {@code opcode} without its type. */
  public void load(String opcode, List<Register> targets, Address from) {
    put(opcode + suffix(targets), vector(targets), from);
  }

  /** Stores registers of one type, 1, 2 or 4, by {@code opcode} without its type. */
  public void store(String opcode, Address to, List<Register> sources) {
    put(opcode + suffix(sources), to, vector(sources));
  }

  private static String suffix(List<Register> registers) {
    String vector = registers.size() == 1 ? "." : ".v" + registers.size() + ".";
    return vector + registers.get(0).type().declaration();
  }

  private static Operand vector(List<Register> registers) {
    return registers.size() == 1 ? registers.get(0) : new RegisterVector(registers);
  }

  /** Writes a choice between two registers of one type; returns a new one. */
  public Register select(Register ifTrue, Register ifFalse, Register predicate) {
    String opcode = "selp." + ifTrue.type().declaration();
    return make(ifTrue.type(), opcode, ifTrue, ifFalse, predicate);
  }

  /**
   * Writes what {@code work} writes, for threads to skip where {@code predicate} does not hold; for
   * all threads if it is null.
   */
  public void where(Register predicate, String label, Runnable work) {
    if (predicate == null) {
      work.run();
      return;
    }
    Symbol skip = label(label);
    putUnless(predicate, "bra", skip);
    work.run();
    place(skip);
  }

  /**
   * Writes two ways, of which all threads of a block take the same.
   *
   * @param otherwise label of the second way
   * @param end label behind both
   */
  public void either(
      Register predicate, String otherwise, String end, Runnable first, Runnable second) {
    Symbol secondWay = label(otherwise);
    Symbol behind = label(end);
    putUnless(predicate, "bra", secondWay);
    first.run();
    put("bra.uni", behind);
    place(secondWay);
    second.run();
    place(behind);
  }

  /** Writes an instruction that runs where {@code predicate} holds; everywhere if it is null. */
  public void putIf(Register predicate, String opcode, Object... operands) {
    line(predicate == null ? "" : "@" + predicate.text() + " ", opcode, operands);
  }

  /** Writes an instruction that runs where {@code predicate} does not hold. */
  public void putUnless(Register predicate, String opcode, Object... operands) {
    line("@!" + predicate.text() + " ", opcode, operands);
  }

  private void line(String guard, String opcode, Object... operands) {
    body.append("  ").append(guard).append(opcode);
    String written =
        Stream.of(operands)
            .filter(Objects::nonNull)
            .map(PtxWriter::text)
            .collect(Collectors.joining(", "));
    body.append(written.isEmpty() ? "" : " ").append(written);
    body.append(";\n");
  }

  private static String text(Object operand) {
    if (operand instanceof Operand written) {
      return written.text();
    }
    if (operand instanceof Integer || operand instanceof Long) {
      return Literal.of(((Number) operand).longValue()).text();
    }
    throw new IllegalArgumentException(operand + " is no operand");
  }

  /** Returns the place behind what is written so far; see {@link #insert}. */
  public int place() {
    return body.length();
  }

  /** Writes what {@code work} writes at an earlier place. Later places move on. */
  public void insert(int place, Runnable work) {
    String behind = body.substring(place);
    body.setLength(place);
    work.run();
    body.append(behind);
  }

  /** Returns a label that nothing uses yet, whose name starts with {@code name}. */
  public Symbol label(String name) {
    return new Symbol("$" + name + labels++);
  }

  /** Places a label here. */
  public void place(Symbol label) {
    body.append(label.text()).append(":\n");
  }

  /**
   * Writes a loop.
   *
   * @param again label of its beginning
   * @param done label behind it
   * @param ended writes the test before each turn; returns what holds once there are no more
   */
  public void loop(String again, String done, Supplier<Register> ended, Runnable turn) {
    Symbol first = label(again);
    Symbol behind = label(done);
    place(first);
    putIf(ended.get(), "bra", behind);
    turn.run();
    put("bra", first);
    place(behind);
  }

  /** Keeps the loop that starts at the label just placed from being unrolled. */
  public void keepRolled() {
    body.append("  .pragma \"nounroll\";\n");
  }

  /** Adds a kernel parameter; returns its name. */
  public Symbol parameter(String type, String name) {
    parameters.add(".param ." + type + " " + name);
    return new Symbol(name);
  }

  /**
   * Declares a variable of the module.
   *
   * @param declaration without the semicolon: {@code .shared .align 16 .b8 tile[4096]}
   */
  public void declare(String declaration) {
    moduleScope.append(declaration).append(";\n");
  }

  /**
   * Returns the whole module.
   *
   * @param target where it may run
   * @param entry name of the kernel
   * @param directives performance directives of the kernel, such as {@code .maxntid 128}
   */
  public String finish(PtxTarget target, String entry, List<String> directives) {
    StringBuilder text = new StringBuilder();
    text.append(".version ").append(target.versionName()).append('\n');
    text.append(".target ").append(target.targetName()).append('\n');
    text.append(".address_size 64\n\n").append(moduleScope).append('\n');
    text.append(".visible .entry ").append(entry).append("(\n  ");
    text.append(String.join(",\n  ", parameters)).append("\n)\n");
    directives.forEach(d -> text.append(d).append('\n'));
    text.append("{\n");
    counts.forEach(
        (type, count) ->
            text.append(
                "  .reg .%s %%%s<%d>;\n".formatted(type.declaration(), type.prefix(), count)));
    return text.append('\n').append(body).append("}\n").toString();
  }
}
