/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;

/** Writes {@code shfl.sync} for registers of any width. All 32 lanes take part, always. */
public final class WarpShuffle {
  private static final long ALL_LANES = 0xFFFFFFFFL;

  /** Where a lane reads. */
  public enum Mode {
    /** From the lane with a given number. */
    INDEX("idx", 31),
    /** From a lane further on; the last lanes read themselves. */
    DOWN("down", 31),
    /** From a lane before; the first lanes read themselves. */
    UP("up", 0);

    private final String opcode;
    private final int clamp;

    Mode(String opcode, int clamp) {
      this.opcode = opcode;
      this.clamp = clamp;
    }
  }

  private WarpShuffle() {}

  /**
   * Returns what another lane has in {@code value}.
   *
   * @param inRange set to whether the lane that is read exists, or null
   */
  public static Register read(
      PtxWriter k, Mode mode, Register value, Object lane, Register inRange) {
    if (value.type().bytes() == 4) {
      return word(k, mode, value, lane, inRange);
    }
    List<Register> halves = k.registers(PtxType.B32, 2);
    k.put("mov.b64", new RegisterVector(halves), value);
    Register low = word(k, mode, halves.get(0), lane, inRange);
    Register high = word(k, mode, halves.get(1), lane, inRange);
    return k.make(value.type(), "mov.b64", new RegisterVector(List.of(low, high)));
  }

  /** Returns the cell that another lane has, its count if there are counts. */
  public static Cell read(PtxWriter k, Mode mode, Cell cell, Object lane, Register inRange) {
    Register value = read(k, mode, cell.value(), lane, inRange);
    Register count = cell.count() == null ? null : read(k, mode, cell.count(), lane, null);
    return new Cell(value, count);
  }

  private static Register word(
      PtxWriter k, Mode mode, Register value, Object lane, Register inRange) {
    Register result = k.register(value.type());
    Operand target = inRange == null ? result : new Symbol(result.text() + "|" + inRange.text());
    k.put("shfl.sync." + mode.opcode + ".b32", target, value, lane, mode.clamp, ALL_LANES);
    return result;
  }
}
