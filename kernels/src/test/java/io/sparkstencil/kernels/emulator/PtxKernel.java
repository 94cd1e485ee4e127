/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A kernel that can be emulated, read once from the text that our writer emits. */
public final class PtxKernel {
  /** Directives that say nothing about what a kernel does. */
  private static final Pattern IGNORED =
      Pattern.compile("\\.(version|target|address_size|pragma|minnctapersm|maxnreg) .*");

  private static final List<BiFunction<Statement, Slots, PtxInstruction>> KINDS =
      List.of(
          Elementwise::of,
          Move::of,
          PtxComparison::of,
          PredicateLogic::of,
          AsyncCopies::of,
          BulkCopies::of,
          Exchange::of);

  private final Map<Pattern, Consumer<Matcher>> directives = new LinkedHashMap<>();
  private final Slots slots = new Slots();
  private final List<String> parameters = new ArrayList<>();
  private final List<Statement> statements = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final PtxInstruction[] code;
  private String name = "";
  private String dynamicShared = ""; // or the name of what has no size
  private ByteBuffer constants = ByteBuffer.allocate(0);
  private int sharedBytes;
  private int localBytes;
  private int threads;

  private PtxKernel(String ptx) {
    on("\\.visible \\.entry (\\w+)\\(", found -> name = found.group(1));
    on("\\.param \\.\\w+ (\\w+),?", found -> parameters.add(found.group(1)));
    on("\\.maxntid (\\d+), 1, 1", found -> threads = Integer.parseInt(found.group(1)));
    on("\\.reg \\.(\\w+) (%\\w+)<(\\d+)>;", this::declareRegisters);
    on("\\.shared \\.align (\\d+) \\.b8 (\\w+)\\[(\\d+)\\];", this::declareShared);
    on("\\.local \\.align (\\d+) \\.b8 (\\w+)\\[(\\d+)\\];", this::declareLocal);
    on("\\.const \\.align 16 \\.(\\w+) (\\w+)\\[\\d+\\] = \\{(.*)\\};", this::declareConstants);
    on("\\.extern \\.shared .* (\\w+)\\[\\];", found -> dynamicShared = found.group(1));
    List<String> lines = ptx.lines().map(String::strip).toList();
    boolean body = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.equals("{")) {
        body = true;
        slots.symbol(dynamicShared, sharedBytes);
      } else if (line.startsWith(".")) {
        directive(line);
      } else if (body && line.endsWith(":")) {
        labels.put(line.substring(0, line.length() - 1), statements.size());
      } else if (body && line.endsWith(";")) {
        statements.add(Statement.of(i + 1, line));
      }
    }
    code = statements.stream().map(this::instruction).toArray(PtxInstruction[]::new);
  }

  /**
   * Reads a module with one kernel.
   *
   * @throws EmulatorFault naming an instruction that the emulator does not know
   */
  public static PtxKernel parse(String ptx) {
    return new PtxKernel(ptx);
  }

  private void on(String directive, Consumer<Matcher> then) {
    directives.put(Pattern.compile(directive), then);
  }

  private void directive(String line) {
    for (Map.Entry<Pattern, Consumer<Matcher>> directive : directives.entrySet()) {
      Matcher found = directive.getKey().matcher(line);
      if (found.matches()) {
        directive.getValue().accept(found);
        return;
      }
    }
    if (!IGNORED.matcher(line).matches()) {
      throw new EmulatorFault("directive \"" + line + "\" is unknown to the emulator");
    }
  }

  private void declareRegisters(Matcher found) {
    slots.declare(found.group(1), found.group(2), Integer.parseInt(found.group(3)));
  }

  private void declareShared(Matcher found) {
    int alignment = Integer.parseInt(found.group(1));
    int start = (sharedBytes + alignment - 1) / alignment * alignment;
    slots.symbol(found.group(2), start);
    sharedBytes = start + Integer.parseInt(found.group(3));
  }

  private void declareLocal(Matcher found) {
    int alignment = Integer.parseInt(found.group(1));
    int start = (localBytes + alignment - 1) / alignment * alignment;
    slots.symbol(found.group(2), start);
    localBytes = start + Integer.parseInt(found.group(3));
  }

  private void declareConstants(Matcher found) {
    boolean wide = found.group(1).endsWith("64");
    List<String> values = Statement.split(found.group(3));
    constants =
        ByteBuffer.allocate(values.size() * (wide ? Long.BYTES : Integer.BYTES))
            .order(ByteOrder.nativeOrder());
    for (String value : values) {
      if (wide) {
        constants.putLong(slots.bits(value));
      } else {
        constants.putInt((int) slots.bits(value));
      }
    }
    slots.symbol(found.group(2), 0);
  }

  private PtxInstruction instruction(Statement statement) {
    for (BiFunction<Statement, Slots, PtxInstruction> kind : KINDS) {
      PtxInstruction made = kind.apply(statement, slots);
      if (made != null) {
        return made;
      }
    }
    PtxInstruction made = Control.of(statement, slots, labels);
    made = made != null ? made : MemoryAccess.of(statement, slots, parameters, constants);
    if (made == null) {
      throw statement.fault("is unknown to the emulator");
    }
    return made;
  }

  /** Returns the name of the entry. */
  public String name() {
    return name;
  }

  /** Returns the number of parameters. */
  public int parameters() {
    return parameters.size();
  }

  /** Returns the most threads of a block, or 0 if that is not said. */
  public int mostThreads() {
    return threads;
  }

  /** Returns the bytes of shared memory that the text declares. */
  public int sharedBytes() {
    return sharedBytes;
  }

  /** Returns the bytes of local memory of a thread. */
  int localBytes() {
    return localBytes;
  }

  Slots slots() {
    return slots;
  }

  PtxInstruction[] code() {
    return code;
  }
}
