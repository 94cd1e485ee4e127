/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;

/**
 * Reduces a long run of cells by a whole block, straight from global memory. Threads take the cells
 * in turns, so the order is lost; that can only show in the sign of a zero that is the least or the
 * greatest cell, which a second pass then settles: the earliest zero's.
 */
final class CoreReduction {
  private static final int UNITS_IN_FLIGHT = 4;

  private final WindowKernel k;
  private final BlockScan scan;
  private Register values;
  private Register validity;

  CoreReduction(WindowKernel kernel, BlockScan scan) {
    this.k = kernel;
    this.scan = scan;
  }

  /** Returns the reduction of cells {@code [first, stop)} of the block's tile coordinates. */
  Cell write(int first, int stop) {
    values = k.cellAt(k.firstCell);
    validity = k.validityAt(k.firstCell);
    Cell sum = k.math.start();
    int firstUnit = Math.min(stop / k.unit, (first + k.unit - 1) / k.unit);
    int stopUnit = Math.max(firstUnit, stop / k.unit);
    if (firstUnit * k.unit < first) {
      addSingles(sum, first, stop); // so short that it has no whole unit
    } else {
      addSingles(sum, first, firstUnit * k.unit);
      addUnits(sum, firstUnit, stopUnit);
      addSingles(sum, stopUnit * k.unit, stop);
    }
    Cell total = scan.all(sum);
    if (k.math.zerosDiffer()) {
      settleZero(total, first, stop);
    }
    return total;
  }

  private void addSingles(Cell sum, int from, int to) {
    if (from >= to) {
      return;
    }
    Register mine = k.test("setp.lt.u32", k.thread, to - from);
    k.where(mine, "single", () -> k.math.tap(sum, single(k.thread, from), null));
  }

  private Cell single(Register index, int ahead) {
    int bytes = k.cellBytes;
    Register from = k.b64("mad.wide.u32", index, bytes, values);
    Cell cell = k.math.newCell();
    k.load("ld.global.nc", List.of(cell.value()), at(from, ahead * bytes));
    if (validity == null) {
      return cell;
    }
    Register countFrom = k.b64("mad.wide.u32", index, 1, validity);
    k.put("ld.global.nc.u8", cell.count(), at(countFrom, ahead));
    return k.math.neutralised(cell);
  }

  private void addUnits(Cell sum, int firstUnit, int stopUnit) {
    int threads = k.how.threadsPerBlock();
    int unitBytes = k.unit * k.cellBytes;
    Register from = k.b64("mad.wide.u32", k.thread, unitBytes, values);
    Register validFrom =
        validity == null ? null : k.b64("mad.wide.u32", k.thread, k.unit, validity);
    advance(from, validFrom, firstUnit);
    int units = stopUnit - firstUnit;
    int turns = units / (UNITS_IN_FLIGHT * threads);
    if (turns > 0) {
      Register left = k.b32("mov.u32", turns);
      Symbol turn = k.label("coreturn");
      k.place(turn);
      k.keepRolled();
      List<Cell> loaded = new ArrayList<>();
      for (int i = 0; i < UNITS_IN_FLIGHT; i++) {
        loaded.addAll(load(from, validFrom, i * threads));
      }
      loaded.forEach(cell -> k.math.tap(sum, cell, null));
      advance(from, validFrom, UNITS_IN_FLIGHT * threads);
      k.put("sub.u32", left, left, 1);
      k.putIf(k.test("setp.ne.u32", left, 0), "bra", turn);
    }
    int rest = units - turns * UNITS_IN_FLIGHT * threads;
    for (int ahead = 0; ahead < rest; ahead += threads) {
      int unitsAhead = ahead;
      Register mine = k.test("setp.lt.u32", k.thread, rest - ahead);
      k.where(
          mine,
          "rest",
          () -> load(from, validFrom, unitsAhead).forEach(cell -> k.math.tap(sum, cell, null)));
    }
  }

  private void advance(Register from, Register validFrom, int units) {
    k.put("add.u64", from, from, (long) units * k.unit * k.cellBytes);
    if (validFrom != null) {
      k.put("add.u64", validFrom, validFrom, (long) units * k.unit);
    }
  }

  private List<Cell> load(Register from, Register validFrom, int unitsAhead) {
    List<Register> loaded = k.registers(k.math.registers(), k.unit);
    k.load("ld.global.nc", loaded, at(from, unitsAhead * k.unit * k.cellBytes));
    if (validFrom == null) {
      return Cell.of(loaded, null);
    }
    List<Register> counts = k.unpack(k.loadValidity(validFrom, unitsAhead * k.unit));
    return Cell.of(loaded, counts).stream().map(k.math::neutralised).toList();
  }

  /** Replaces a total of zero by the earliest zero: the least of index and sign over all zeros. */
  private void settleZero(Cell total, int first, int stop) {
    String suffix = PtxCells.arithmetic(k.what.type());
    Register keyAt = k.sharedAddress(k.reserveShared(4));
    Symbol settled = k.label("settled");
    Register zero = k.test("setp.eq." + suffix, total.value(), k.math.literal(0));
    k.putUnless(zero, "bra", settled);
    Register none = k.b32("mov.u32", 0xFFFFFFFFL);
    k.put("st.shared.u32", at(keyAt, 0), none);
    k.put("bar.sync", 0);
    Register best = k.b32("mov.u32", none);
    Register index = k.b32("mov.u32", k.thread);
    k.loop(
        "zero",
        "scanned",
        () -> k.test("setp.ge.u32", index, stop - first),
        () -> {
          Register value = single(index, first).value();
          Register isZero = k.test("setp.eq." + suffix, value, k.math.literal(0));
          Register sign = k.b32("shr.u32", highWord(value), 31);
          Register key = k.b32("mad.lo.u32", index, 2, sign);
          k.putIf(isZero, "min.u32", best, best, key);
          k.put("add.u32", index, index, k.how.threadsPerBlock());
        });
    k.put("red.shared.min.u32", at(keyAt, 0), best);
    k.put("bar.sync", 0);
    Register winner = k.b32("ld.shared.u32", at(keyAt, 0));
    Register negative = k.b32("and.b32", winner, 1);
    Register isNegative = k.test("setp.ne.u32", negative, 0);
    k.put("selp." + suffix, total.value(), k.math.literal(-0.0), k.math.literal(0.0), isNegative);
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
