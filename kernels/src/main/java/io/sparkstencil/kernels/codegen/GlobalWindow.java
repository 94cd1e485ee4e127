/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cells of global memory from a thread's first one on, loaded unit by unit or one by one. */
final class GlobalWindow implements CellWindow {
  private final KernelFrame frame;
  private final PtxWriter k;
  private final Register firstCell;
  private final Register at;
  private final boolean careful;
  private final Map<Integer, List<Register>> units = new HashMap<>();

  /**
   * Creates a window.
   *
   * @param firstCell staged cell, a multiple of the unit
   * @param careful whether cells may lie beyond the staged ones; those are neutral
   */
  GlobalWindow(KernelFrame frame, Register firstCell, boolean careful) {
    this.frame = frame;
    this.k = frame.k;
    this.firstCell = firstCell;
    this.careful = careful;
    this.at =
        frame.globalAddress(
            frame.parameter(KernelParameter.INPUT), firstCell, frame.what.type().bytes());
  }

  @Override
  public Cell cell(int offset) {
    int place = offset + frame.skew;
    List<Register> unit =
        units.computeIfAbsent(
            place / frame.unit,
            u -> {
              List<Register> registers = k.registers(frame.math.registers(), frame.unit);
              load(registers, u);
              return registers;
            });
    return new Cell(unit.get(place % frame.unit), null);
  }

  /** Loads the unit {@code unitIndex} units after the first cell. */
  void load(List<Register> registers, int unitIndex) {
    String type = CellType.memory(frame.what.type());
    int bytes = frame.what.type().bytes();
    int first = unitIndex * frame.unit;
    String opcode = "ld.global" + frame.how.hints().load();
    if (!careful && frame.unit > 1) {
      k.put(
          opcode + ".v" + frame.unit + "." + type,
          new RegisterVector(registers),
          Address.at(at, first * bytes));
      return;
    }
    for (int i = 0; i < frame.unit; i++) {
      Address address = Address.at(at, (first + i) * bytes);
      if (!careful) {
        k.put(opcode + "." + type, registers.get(i), address);
        continue;
      }
      Register index = k.make(PtxType.B32, "add.u32", firstCell, Literal.of(first + i));
      Register there =
          k.make(
              PtxType.PREDICATE,
              "setp.lt.u32",
              index,
              frame.parameter(KernelParameter.STAGED_CELLS));
      k.put(frame.math.move(), registers.get(i), frame.math.neutral());
      k.putIf(there, opcode + "." + type, registers.get(i), address);
    }
  }
}
