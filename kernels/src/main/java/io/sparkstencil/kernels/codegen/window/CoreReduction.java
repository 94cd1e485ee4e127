/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.model.Reduction;
import java.util.ArrayList;
import java.util.List;

/**
 * Reduces a long run of cells by a whole block, straight from global memory. Threads take the cells
 * in turns, so the order is lost; that can only show in the sign of a zero that is the least or the
 * greatest cell, which a second pass then settles: the earliest zero's.
 */
final class CoreReduction {
  private static final int UNITS_IN_FLIGHT = 4;

  private final WindowKernel kernel;
  private final PtxWriter k;
  private final BlockScan scan;
  private final NullCells nulls;
  private final int cellBytes;
  private Register values;
  private Register validity;

  CoreReduction(WindowKernel kernel, BlockScan scan) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.scan = scan;
    this.nulls = new NullCells(kernel);
    this.cellBytes = kernel.cellBytes;
  }

  /** Returns the reduction of cells {@code [first, stop)} of the block's tile coordinates. */
  Cell write(int first, int stop) {
    values = kernel.cellAt(kernel.firstCell);
    validity = kernel.validityAt(kernel.firstCell);
    Cell sum = kernel.math.start();
    int firstUnit = Math.min(stop / kernel.unit, (first + kernel.unit - 1) / kernel.unit);
    int stopUnit = Math.max(firstUnit, stop / kernel.unit);
    if (firstUnit * kernel.unit < first) {
      addSingles(sum, first, stop); // so short that it has no whole unit
    } else {
      addSingles(sum, first, firstUnit * kernel.unit);
      addUnits(sum, firstUnit, stopUnit);
      addSingles(sum, stopUnit * kernel.unit, stop);
    }
    Cell total = scan.all(sum);
    boolean zerosDiffer =
        kernel.what.type().isFloating()
            && (kernel.what.reduction() == Reduction.MIN
                || kernel.what.reduction() == Reduction.MAX);
    if (zerosDiffer) {
      settleZero(total, first, stop);
    }
    return total;
  }

  private void addSingles(Cell sum, int from, int to) {
    if (from >= to) {
      return;
    }
    Register mine = k.test("setp.lt.u32", kernel.thread, Literal.of(to - from));
    k.where(mine, "single", () -> kernel.math.tap(sum, single(kernel.thread, from), null));
  }

  private Cell single(Register index, int ahead) {
    Register at = kernel.globalAddress(values, index, cellBytes);
    Register value = kernel.math.load("ld.global.nc", Address.at(at, ahead * cellBytes));
    if (validity == null) {
      return new Cell(value, null);
    }
    Register countAt = kernel.globalAddress(validity, index, 1);
    Register count = k.b32("ld.global.nc.u8", Address.at(countAt, ahead));
    return new Cell(nulls.neutralised(value, count), count);
  }

  private void addUnits(Cell sum, int firstUnit, int stopUnit) {
    int threads = kernel.how.threadsPerBlock();
    int unitBytes = kernel.unit * cellBytes;
    Register at = kernel.globalAddress(values, kernel.thread, unitBytes);
    Register validAt =
        validity == null ? null : kernel.globalAddress(validity, kernel.thread, kernel.unit);
    k.put("add.u64", at, at, Literal.of((long) firstUnit * unitBytes));
    if (validAt != null) {
      k.put("add.u64", validAt, validAt, Literal.of((long) firstUnit * kernel.unit));
    }
    int units = stopUnit - firstUnit;
    int turns = units / (UNITS_IN_FLIGHT * threads);
    if (turns > 0) {
      Register left = k.b32("mov.u32", Literal.of(turns));
      Symbol turn = k.label("coreturn");
      k.place(turn);
      k.keepRolled();
      List<List<Cell>> loaded = new ArrayList<>();
      for (int i = 0; i < UNITS_IN_FLIGHT; i++) {
        loaded.add(load(at, validAt, i * threads));
      }
      loaded.forEach(unit -> unit.forEach(cell -> kernel.math.tap(sum, cell, null)));
      k.put("add.u64", at, at, Literal.of(UNITS_IN_FLIGHT * threads * unitBytes));
      if (validAt != null) {
        k.put("add.u64", validAt, validAt, Literal.of(UNITS_IN_FLIGHT * threads * kernel.unit));
      }
      k.put("sub.u32", left, left, Literal.of(1));
      k.putIf(k.test("setp.ne.u32", left, Literal.of(0)), "bra", turn);
    }
    int rest = units - turns * UNITS_IN_FLIGHT * threads;
    for (int i = 0; i * threads < rest; i++) {
      Register mine = k.test("setp.lt.u32", kernel.thread, Literal.of(rest - i * threads));
      int ahead = i * threads;
      k.where(
          mine,
          "rest",
          () -> load(at, validAt, ahead).forEach(cell -> kernel.math.tap(sum, cell, null)));
    }
  }

  private List<Cell> load(Register at, Register validAt, int unitsAhead) {
    List<Register> loaded = k.registers(kernel.math.registers(), kernel.unit);
    k.load("ld.global.nc", loaded, Address.at(at, unitsAhead * kernel.unit * cellBytes));
    if (validAt == null) {
      return loaded.stream().map(value -> new Cell(value, null)).toList();
    }
    Register bytes = nulls.loadUnit(Address.at(validAt, unitsAhead * kernel.unit));
    List<Register> counts = nulls.unpack(bytes);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < kernel.unit; i++) {
      cells.add(new Cell(nulls.neutralised(loaded.get(i), counts.get(i)), counts.get(i)));
    }
    return cells;
  }

  /** Replaces a total of zero by the earliest zero: the least of index and sign over all zeros. */
  private void settleZero(Cell total, int first, int stop) {
    String suffix = CellType.arithmetic(kernel.what.type());
    Register keyAt = kernel.sharedAddress(kernel.reserveShared(4));
    Symbol settled = k.label("settled");
    Register zero = k.test("setp.eq." + suffix, total.value(), kernel.math.literal(0));
    k.putUnless(zero, "bra", settled);
    Register none = k.b32("mov.u32", Literal.of(0xFFFFFFFFL));
    k.put("st.shared.u32", Address.at(keyAt, 0), none);
    k.put("bar.sync", Literal.of(0));
    Register best = k.b32("mov.u32", none);
    Register index = k.b32("mov.u32", kernel.thread);
    Symbol again = k.label("zero");
    Symbol scanned = k.label("scanned");
    k.place(again);
    k.putIf(k.test("setp.ge.u32", index, Literal.of(stop - first)), "bra", scanned);
    Register value = single(index, first).value();
    Register isZero = k.test("setp.eq." + suffix, value, kernel.math.literal(0));
    Register sign = k.b32("shr.u32", highWord(value), Literal.of(31));
    Register key = k.b32("mad.lo.u32", index, Literal.of(2), sign);
    k.putIf(isZero, "min.u32", best, best, key);
    k.put("add.u32", index, index, Literal.of(kernel.how.threadsPerBlock()));
    k.put("bra", again);
    k.place(scanned);
    k.put("red.shared.min.u32", Address.at(keyAt, 0), best);
    k.put("bar.sync", Literal.of(0));
    Register winner = k.b32("ld.shared.u32", Address.at(keyAt, 0));
    Register negative = k.b32("and.b32", winner, Literal.of(1));
    Register isNegative = k.test("setp.ne.u32", negative, Literal.of(0));
    k.put(
        "selp." + suffix,
        total.value(),
        kernel.math.literal(-0.0),
        kernel.math.literal(0.0),
        isNegative);
    k.place(settled);
  }

  private Register highWord(Register value) {
    if (value.type().bytes() == 4) {
      return k.b32("mov.b32", value);
    }
    List<Register> halves = k.registers(PtxType.B32, 2);
    k.put("mov.b64", new RegisterVector(halves), value);
    return halves.get(1);
  }
}
