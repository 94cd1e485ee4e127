/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.DeviceMemory.Allocation;
import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;

/** Loads and stores: from parameters, and of global and shared memory, of one or more registers. */
final class MemoryAccess {
  private static final int WORD = 4;
  private static final int LONG = 8;

  private MemoryAccess() {}

  /**
   * Returns the instruction, or null if it is none of these.
   *
   * @param parameters the names of the kernel's parameters, in order
   * @param constants the constant bank
   */
  static PtxInstruction of(
      Statement statement, Slots slots, List<String> parameters, ByteBuffer constants) {
    switch (statement.opcode()) {
      case "red.shared.min.u32" -> {
        return new SharedReduction(statement, slots, MemoryAccess::least);
      }
      case "red.shared.add.u32" -> {
        return new SharedReduction(statement, slots, Integer::sum);
      }
      case "tex.1d.v4.f32.s32" -> {
        return new TextureFetch(statement, slots);
      }
      default -> {}
    }
    List<String> parts = List.of(statement.opcode().replace(".volatile", "").split("\\."));
    boolean loads = parts.get(0).equals("ld");
    if (!loads && !parts.get(0).equals("st")) {
      return null;
    }
    return switch (parts.get(1)) {
      case "param" -> new Parameter(statement, slots, parts, parameters);
      case "global" -> new Global(statement, slots, parts, loads);
      case "shared" -> new Shared(statement, slots, parts, loads);
      case "local" -> new Local(statement, slots, parts, loads);
      case "const" -> new Constant(statement, slots, parts, constants);
      default -> null;
    };
  }

  /** Where an access is: a register and an offset. */
  record Place(Slot base, int offset) {
    static Place of(String operand, Slots slots, Kind kind) {
      String inside = operand.substring(1, operand.length() - 1);
      int plus = inside.indexOf('+');
      String base = plus < 0 ? inside : inside.substring(0, plus);
      int offset = plus < 0 ? 0 : Integer.parseInt(inside.substring(plus + 1));
      return new Place(slots.read(kind, base), offset);
    }
  }

  private abstract static class Access extends PtxInstruction {
    final int bytes;
    final List<Slot> registers = new ArrayList<>();

    Access(Statement statement, Slots slots, List<String> parts, String operand) {
      super(statement, slots);
      String type = parts.get(parts.size() - 1);
      bytes = Integer.parseInt(type.substring(1)) / Byte.SIZE;
      if (bytes > LONG) {
        throw statement.fault("is unknown to the emulator");
      }
      Kind kind = bytes == LONG ? Kind.WIDE : Kind.NARROW;
      for (String register : Statement.vector(operand)) {
        registers.add(slots.read(kind, register));
      }
      String vector = registers.size() == 1 ? null : "v" + registers.size();
      if (vector != null && !parts.contains(vector)) {
        throw statement.fault("has %d registers".formatted(registers.size()));
      }
    }

    static String memory(Statement statement, boolean loads) {
      return statement.operand(loads ? 1 : 0);
    }

    static String values(Statement statement, boolean loads) {
      return statement.operand(loads ? 0 : 1);
    }
  }

  private static final class Parameter extends Access {
    private final int index;

    Parameter(Statement statement, Slots slots, List<String> parts, List<String> parameters) {
      super(statement, slots, parts, statement.operand(0));
      String name = statement.operand(1);
      index = parameters.indexOf(name.substring(1, name.length() - 1));
      if (index < 0) {
        throw statement.fault("has no such parameter");
      }
    }

    @Override
    void run(Warp warp, int lanes) {
      long value = warp.block.argument(index);
      Slot to = registers.get(0);
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        if (to.isWide()) {
          warp.wide[to.base() + lane] = value;
        } else {
          warp.narrow[to.base() + lane] = (int) value;
        }
      }
      warp.setUndefined(to, 0, lanes);
    }
  }

  private static final class Constant extends Access {
    private final Place place;
    private final ByteBuffer constants;

    Constant(Statement statement, Slots slots, List<String> parts, ByteBuffer constants) {
      super(statement, slots, parts, statement.operand(0));
      this.constants = constants;
      place = Place.of(statement.operand(1), slots, Kind.WIDE);
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        long address = warp.wide[place.base().base() + lane] + place.offset();
        int size = bytes * registers.size();
        if (address < 0 || address + size > constants.limit() || address % size != 0) {
          throw EmulatorFault.of(
              lane,
              "reads %d bytes at %d of %d constant ones"
                  .formatted(size, address, constants.limit()));
        }
        for (int i = 0; i < registers.size(); i++) {
          Slot to = registers.get(i);
          int at = (int) address + i * bytes;
          if (to.isWide()) {
            warp.wide[to.base() + lane] = constants.getLong(at);
          } else {
            warp.narrow[to.base() + lane] = constants.getInt(at);
          }
          warp.setUndefined(to, 0, 1 << lane);
        }
      }
    }
  }

  private static final class Global extends Access {
    private final boolean loads;
    private final Place place;

    Global(Statement statement, Slots slots, List<String> parts, boolean loads) {
      super(statement, slots, parts, values(statement, loads));
      this.loads = loads;
      place = Place.of(memory(statement, loads), slots, Kind.WIDE);
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      if (!loads) {
        for (Slot register : registers) {
          warp.requireDefined(register.id(), lanes, register.text());
        }
      }
      DeviceMemory memory = warp.block.memory();
      int size = bytes * registers.size();
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        long address = warp.wide[place.base().base() + lane] + place.offset();
        Allocation in = memory.access(lane, address, size);
        for (int i = 0; i < registers.size(); i++) {
          if (loads) {
            load(warp, memory, in, lane, address + (long) i * bytes, registers.get(i));
          } else {
            store(warp, memory, in, lane, address + (long) i * bytes, registers.get(i));
          }
        }
      }
    }

    private void load(
        Warp warp, DeviceMemory memory, Allocation in, int lane, long address, Slot to) {
      boolean known = memory.read(in, lane, address);
      int at = to.base() + lane;
      if (bytes == LONG) {
        known &= memory.read(in, lane, address + WORD);
        long low = DeviceMemory.int32(in, address) & 0xFFFF_FFFFL;
        warp.wide[at] = low | ((long) DeviceMemory.int32(in, address + WORD) << 32);
      } else {
        warp.narrow[at] = DeviceMemory.uint(in, address, bytes);
      }
      warp.setUndefined(to, known ? 0 : 1 << lane, 1 << lane);
    }

    private void store(
        Warp warp, DeviceMemory memory, Allocation in, int lane, long address, Slot from) {
      int at = from.base() + lane;
      if (bytes < WORD) {
        // neighbours of a byte in its word may be those of other blocks
        memory.write(in, lane, address, true);
        DeviceMemory.uint(in, address, bytes, warp.narrow[at]);
      } else if (bytes == WORD) {
        put(memory, in, lane, address, warp.narrow[at]);
      } else {
        put(memory, in, lane, address, (int) warp.wide[at]);
        put(memory, in, lane, address + WORD, (int) (warp.wide[at] >>> 32));
      }
    }

    private static void put(DeviceMemory memory, Allocation in, int lane, long address, int value) {
      memory.write(in, lane, address, DeviceMemory.int32(in, address) == value);
      DeviceMemory.int32(in, address, value);
    }
  }

  private static final class Shared extends Access {
    private final boolean loads;
    private final Place place;

    Shared(Statement statement, Slots slots, List<String> parts, boolean loads) {
      super(statement, slots, parts, values(statement, loads));
      this.loads = loads;
      place = Place.of(memory(statement, loads), slots, Kind.NARROW);
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      SharedMemory memory = warp.block.shared();
      int size = bytes * registers.size();
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        int address = warp.narrow[place.base().base() + lane] + place.offset();
        memory.access(lane, address, size);
        for (int i = 0; i < registers.size(); i++) {
          if (loads) {
            load(warp, memory, lane, address + i * bytes, registers.get(i));
          } else {
            store(warp, memory, lane, address + i * bytes, registers.get(i));
          }
        }
      }
    }

    private void load(Warp warp, SharedMemory memory, int lane, int address, Slot to) {
      boolean known = memory.read(warp.number, lane, address);
      int at = to.base() + lane;
      if (bytes == LONG) {
        known &= memory.read(warp.number, lane, address + WORD);
        long low = memory.int32(address) & 0xFFFF_FFFFL;
        warp.wide[at] = low | ((long) memory.int32(address + WORD) << 32);
      } else {
        warp.narrow[at] = memory.uint(address, bytes);
      }
      warp.setUndefined(to, known ? 0 : 1 << lane, 1 << lane);
    }

    private void store(Warp warp, SharedMemory memory, int lane, int address, Slot from) {
      int at = from.base() + lane;
      boolean known = ((warp.undefined[from.id()] >>> lane) & 1) == 0;
      if (bytes < WORD) {
        memory.write(warp.number, lane, address, known, false);
        memory.uint(address, bytes, warp.narrow[at]);
      } else if (bytes == WORD) {
        put(warp, memory, lane, address, warp.narrow[at], known);
      } else {
        put(warp, memory, lane, address, (int) warp.wide[at], known);
        put(warp, memory, lane, address + WORD, (int) (warp.wide[at] >>> 32), known);
      }
    }

    private static void put(
        Warp warp, SharedMemory memory, int lane, int address, int value, boolean known) {
      memory.write(warp.number, lane, address, known, memory.int32(address) == value);
      memory.int32(address, value);
    }
  }

  /** Accesses words of the memory that each thread has for itself. */
  private static final class Local extends Access {
    private final boolean loads;
    private final Place place;

    Local(Statement statement, Slots slots, List<String> parts, boolean loads) {
      super(statement, slots, parts, values(statement, loads));
      this.loads = loads;
      place = Place.of(memory(statement, loads), slots, Kind.WIDE);
      if (bytes != WORD || registers.size() != 1) {
        throw statement.fault("accesses local memory other than by words");
      }
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      Slot register = registers.get(0);
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        long address = warp.wide[place.base().base() + lane] + place.offset();
        if (loads) {
          boolean known = warp.local.load(lane, address, warp.narrow, register.base() + lane);
          warp.setUndefined(register, known ? 0 : 1 << lane, 1 << lane);
        } else {
          boolean known = ((warp.undefined[register.id()] >>> lane) & 1) == 0;
          warp.local.store(lane, address, warp.narrow[register.base() + lane], known);
        }
      }
    }
  }

  private static int least(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0 ? a : b;
  }

  /** {@code red.shared}: combines a word with a value, whoever else does. */
  private static final class SharedReduction extends PtxInstruction {
    private final IntBinaryOperator combine;
    private final Place place;
    private final Slot value;

    SharedReduction(Statement statement, Slots slots, IntBinaryOperator combine) {
      super(statement, slots);
      this.combine = combine;
      place = Place.of(statement.operand(0), slots, Kind.NARROW);
      value = slots.read(Kind.NARROW, statement.operand(1));
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      warp.requireDefined(value.id(), lanes, value.text());
      SharedMemory memory = warp.block.shared();
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        int address = warp.narrow[place.base().base() + lane] + place.offset();
        memory.access(lane, address, WORD);
        memory.reduce(warp.number, lane, address, warp.narrow[value.base() + lane], combine);
      }
    }
  }
}
