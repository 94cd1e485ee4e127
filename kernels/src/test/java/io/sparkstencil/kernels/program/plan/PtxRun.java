/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the text of a kernel one thread after the other, without a device. Knows the instructions of
 * {@link io.sparkstencil.kernels.codegen.program.StepKernel}. Addresses are positions in a buffer.
 * What other threads vote is left to chance.
 */
final class PtxRun {
  private static final Pattern LINE = Pattern.compile("(?:@(!?)(%p\\d+) )?([\\w.]+) ?(.*);");
  private static final Pattern PARAMETER = Pattern.compile("\\.param \\.\\w+ (\\w+)");

  private final List<Instruction> code = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<String> parameters = new ArrayList<>();
  private final ByteBuffer memory;
  private final Random votes = new Random(1);

  /** An instruction; the guard is null for those that always run. */
  private record Instruction(String guard, boolean unless, String opcode, List<String> operands) {}

  PtxRun(String ptx, ByteBuffer memory) {
    this.memory = memory;
    Matcher names = PARAMETER.matcher(ptx);
    while (names.find()) {
      parameters.add(names.group(1));
    }
    ptx.substring(ptx.indexOf('{') + 1).lines().map(String::strip).forEach(this::parse);
  }

  private void parse(String line) {
    if (line.endsWith(":")) {
      labels.put(line.substring(0, line.length() - 1), code.size());
      return;
    }
    Matcher parts = LINE.matcher(line);
    if (!line.startsWith(".") && parts.matches()) {
      code.add(
          new Instruction(
              parts.group(2),
              "!".equals(parts.group(1)),
              parts.group(3),
              Stream.of(parts.group(4).split(", ")).toList()));
    }
  }

  /** Runs all threads of a grid. */
  void launch(int blocks, int blocksY, int threads, long... arguments) {
    for (int y = 0; y < blocksY; y++) {
      for (int x = 0; x < blocks; x++) {
        for (int thread = 0; thread < threads; thread++) {
          new Lane(Map.of("%ctaid.x", (long) x, "%ctaid.y", (long) y, "%tid.x", (long) thread))
              .run(arguments);
        }
      }
    }
  }

  /** The registers of one thread, as bits; those of 32 bits are extended with their sign. */
  private final class Lane {
    private final Map<String, Long> registers;
    private boolean isFloat;

    Lane(Map<String, Long> special) {
      registers = new HashMap<>(special);
    }

    void run(long... arguments) {
      for (int at = 0; ; at++) {
        Instruction next = code.get(at);
        if (next.guard() != null && (registers.get(next.guard()) != 0) == next.unless()) {
          continue;
        }
        if (next.opcode().equals("ret")) {
          return;
        }
        if (next.opcode().startsWith("bra")) {
          at = labels.get(next.operands().get(0)) - 1;
        } else {
          execute(next, arguments);
        }
      }
    }

    private void execute(Instruction what, long... arguments) {
      String opcode = what.opcode();
      String target = what.operands().get(0);
      String[] parts = opcode.split("\\.");
      String type = parts[parts.length - 1];
      isFloat = type.equals("f32");
      if (opcode.equals("activemask.b32")) {
        registers.put(target, 1L);
      } else if (opcode.startsWith("ld.param")) {
        String name = what.operands().get(1).replaceAll("[\\[\\]]", "");
        registers.put(target, arguments[parameters.indexOf(name)]);
      } else if (opcode.startsWith("ld.global")) {
        registers.put(target, load(type, address(what.operands().get(1))));
      } else if (opcode.startsWith("st.global")) {
        long bits = value(what.operands().get(1));
        int address = address(target);
        if (type.endsWith("32")) {
          memory.putInt(address, (int) bits);
        } else {
          memory.putLong(address, bits);
        }
      } else {
        List<Long> inputs = what.operands().stream().skip(1).map(this::value).toList();
        registers.put(
            target,
            type.startsWith("f") && !opcode.startsWith("cvt")
                ? floating(parts, inputs)
                : integer(opcode, inputs));
      }
    }

    private long load(String type, int address) {
      return type.endsWith("32") ? memory.getInt(address) : memory.getLong(address);
    }

    private int address(String operand) {
      String[] parts = operand.replaceAll("[\\[\\]]", "").split("\\+", 2);
      long base = registers.get(parts[0]);
      return Math.toIntExact(base + (parts.length > 1 ? Long.parseLong(parts[1]) : 0));
    }

    private long value(String operand) {
      if (operand.startsWith("0f")) {
        return Integer.parseUnsignedInt(operand.substring(2), 16);
      }
      if (operand.startsWith("0d")) {
        return Long.parseUnsignedLong(operand.substring(2), 16);
      }
      if (operand.startsWith("%")) {
        Long value = registers.get(operand);
        if (value == null) {
          throw new IllegalStateException(operand + " is read before it is written");
        }
        return value;
      }
      return Long.parseLong(operand);
    }

    private long integer(String opcode, List<Long> in) {
      long a = in.get(0);
      long b = in.size() > 1 ? in.get(1) : 0;
      long c = in.size() > 2 ? in.get(2) : 0;
      return switch (opcode) {
        case "mov.u32", "mov.b32", "cvta.to.global.u64", "cvt.s64.s32" -> a;
        case "mad.wide.u32" -> (a & 0xFFFFFFFFL) * b + c;
        case "mad.wide.s32", "mad.lo.s64" -> a * b + c;
        case "mul.wide.s32", "mul.lo.s64" -> a * b;
        case "add.s64" -> a + b;
        case "mad.lo.s32" -> (int) (a * b + c);
        case "mul.lo.s32" -> (int) (a * b);
        case "add.s32" -> (int) (a + b);
        case "sub.s32" -> (int) (a - b);
        case "shl.b32" -> (int) (a << b);
        case "shr.u32" -> (int) ((a & 0xFFFFFFFFL) >>> b);
        case "bfe.u32" -> (a >>> b) & ((1L << c) - 1);
        case "rem.u32" -> Integer.remainderUnsigned((int) a, (int) b);
        case "div.u32" -> Integer.divideUnsigned((int) a, (int) b);
        case "setp.ge.s32" -> flag(a >= b);
        case "setp.ne.s32" -> flag(a != b);
        case "setp.lt.u32" -> flag(Integer.compareUnsigned((int) a, (int) b) < 0);
        case "setp.ge.and.s32" -> flag(a >= b && c != 0);
        case "setp.lt.and.s32" -> flag(a < b && c != 0);
        case "not.pred" -> 1 - a;
        case "and.pred" -> a & b;
        case "or.pred" -> a | b;
        case "vote.sync.any.pred" -> a | (votes.nextInt(4) == 0 ? 1 : 0);
        case "cvt.rn.f32.s32" -> Float.floatToRawIntBits((float) a);
        case "cvt.rn.f64.s32" -> Double.doubleToRawLongBits((double) a);
        default -> throw new IllegalStateException("unknown instruction " + opcode);
      };
    }

    private double number(long bits) {
      return isFloat ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    /** Results of operations on doubles that hold floats are right after rounding, but for fma. */
    private long floating(String[] opcode, List<Long> in) {
      if (opcode[0].equals("selp")) {
        return in.get(2) != 0 ? in.get(0) : in.get(1);
      }
      if (opcode[0].equals("mov")) {
        return in.get(0);
      }
      double a = number(in.get(0));
      double b = in.size() > 1 ? number(in.get(1)) : 0;
      if (opcode[0].equals("setp")) {
        boolean and = !opcode[2].equals("and") || in.get(2) != 0;
        return flag(
            and
                && switch (opcode[1]) {
                  case "lt" -> a < b;
                  case "le" -> a <= b;
                  case "eq" -> a == b;
                  case "gtu" -> !(a <= b);
                  case "ltu" -> !(a >= b);
                  case "num" -> !Double.isNaN(a) && !Double.isNaN(b);
                  default -> throw new IllegalStateException(opcode[1]);
                });
      }
      double c = in.size() > 2 ? number(in.get(2)) : 0;
      double result =
          switch (opcode[0]) {
            case "add" -> a + b;
            case "sub" -> a - b;
            case "mul" -> a * b;
            case "div" -> a / b;
            case "neg" -> -a;
            case "abs" -> Math.abs(a);
            case "sqrt" -> Math.sqrt(a);
            case "fma" -> isFloat ? Math.fma((float) a, (float) b, (float) c) : Math.fma(a, b, c);
            default -> throw new IllegalStateException("unknown instruction " + opcode[0]);
          };
      return isFloat ? Float.floatToRawIntBits((float) result) : Double.doubleToRawLongBits(result);
    }

    private static long flag(boolean holds) {
      return holds ? 1 : 0;
    }
  }
}
