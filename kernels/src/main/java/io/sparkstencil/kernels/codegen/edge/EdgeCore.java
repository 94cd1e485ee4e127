/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/**
 * Cut frames of neighbouring outputs, by a block, an output per thread. What all the block's frames
 * contain it reduces together; each thread adds the cells before that and after it, fewer than the
 * block has threads. An output of a frame of W cells costs W / threads and a constant.
 *
 * <p>Threads take the cells of the core in turns, so the order is lost. That can only show in which
 * of several equal zeros is the least or the greatest cell, so these are kept with their numbers:
 * of equals, the earlier cell wins.
 */
final class EdgeCore {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final EdgeCells k;
  private final CellMath math;
  private final int threads;
  private final boolean numbered;
  private final int valueBytes;

  EdgeCore(EdgeCells writer, int threads) {
    this.k = writer;
    this.math = k.math;
    this.threads = threads;
    this.numbered = math.zerosDiffer();
    this.valueBytes = math.registers().bytes();
    k.declare(".shared .align 16 .b8 partials[%d]".formatted(sharedBytes()));
  }

  private int warps() {
    return threads / 32;
  }

  int sharedBytes() {
    return warps() * (valueBytes + (numbered ? 4 : 0));
  }

  /** Writes the outputs of a piece that this block takes; all of its threads pass. */
  void writePiece(EdgeCells.Piece piece, Register thread) {
    Register onRight = k.subtract(piece.clipped(), piece.clippedLeft());
    Register leftGroups = groups(piece.clippedLeft());
    Register allGroups = k.add(leftGroups, groups(onRight));
    Register group = k.b32("mov.u32", Symbol.CTAID_X);
    Register blocks = k.b32("mov.u32", Symbol.NCTAID_X);
    k.loop(
        "group",
        "groupsdone",
        () -> k.test("setp.ge.s32", group, allGroups),
        () -> {
          // A group lies on one side: between the sides, frames may have nothing in common.
          Register left = k.test("setp.lt.s32", group, leftGroups);
          Register beyond = k.subtract(group, leftGroups);
          Register rightFirst = k.b32("mad.lo.s32", beyond, threads, piece.clippedLeft());
          Register leftFirst = k.b32("mul.lo.s32", group, threads);
          Register first = k.select(leftFirst, rightFirst, left);
          Register end = k.select(piece.clippedLeft(), piece.clipped(), left);
          writeGroup(piece, first, k.subtract(end, 1), thread);
          k.put("add.s32", group, group, blocks);
        });
  }

  private Register groups(Register outputs) {
    Register raised = k.add(outputs, threads - 1);
    return k.b32("shr.u32", raised, Integer.numberOfTrailingZeros(threads));
  }

  /** Writes the outputs from {@code first} on, of which {@code last} is the last of its side. */
  private void writeGroup(EdgeCells.Piece piece, Register first, Register last, Register thread) {
    Register wanted = k.add(first, thread);
    Register index = k.b32("min.s32", wanted, last);
    Register lastOfBlock = k.add(first, threads - 1);
    EdgeCells.CutFrame own = k.frame(piece, index);
    EdgeCells.CutFrame earliest = k.frame(piece, first);
    EdgeCells.CutFrame latest = k.frame(piece, k.b32("min.s32", lastOfBlock, last));
    // Without a common cell, frames are short, and each thread reads all of its own.
    Register common = k.test("setp.lt.s32", latest.first(), earliest.stop());
    Register coreFirst = whereOr(common, latest.first());
    Register coreStop = whereOr(common, earliest.stop());

    Cell core = reduceCore(coreFirst, coreStop, thread);
    Cell sum = math.start();
    k.reduceInto(sum, own.first(), k.b32("min.s32", own.stop(), coreFirst));
    Cell joined = math.combine(sum, core);
    k.reduceInto(joined, k.b32("max.s32", own.first(), coreStop), own.stop());
    Symbol skip = k.label("nooutput");
    k.putIf(k.test("setp.gt.s32", wanted, last), "bra", skip);
    k.store(own, joined);
    k.place(skip);
  }

  private Register whereOr(Register common, Register bound) {
    return k.b32("selp.b32", bound, NO_LIMIT, common);
  }

  /** Returns to all threads the reduction of cells {@code [first, stop)}. */
  private Cell reduceCore(Register first, Register stop, Register thread) {
    Cell sum = math.start();
    Register number = numbered ? k.b32("mov.u32", -1) : null;
    Register own = k.add(first, thread);
    Register turns = k.add(k.subtract(stop, own), threads - 1);
    Register count = k.b32("shr.s32", turns, Integer.numberOfTrailingZeros(threads));
    if (numbered) {
      keepEarliest(sum.value(), number, own, count);
    } else {
      k.forEach(own, count, threads, (cell, unused) -> math.tap(sum, cell, null));
    }
    return acrossBlock(new Cell(sum.value(), number), thread);
  }

  /** Reduces every {@code threads}th cell, with the number of the cell that was taken. */
  private void keepEarliest(Register best, Register number, Register own, Register count) {
    Register end = k.b32("mad.lo.s32", count, threads, own);
    k.forEach(
        own,
        count,
        threads,
        (cell, left) -> {
          Register taken = math.takesLater(best, cell.value());
          String select = "selp." + math.registers().declaration();
          k.put(select, best, cell.value(), best, taken);
          Register cellNumber = k.b32("mad.lo.s32", left, -threads, end);
          k.put("selp.b32", number, cellNumber, number, taken);
        });
  }

  /** Returns the reduction of partial ones, which have the number of their cell as a count. */
  private Cell acrossBlock(Cell own, Register thread) {
    Cell sum = own;
    for (int distance = 16; distance > 0; distance /= 2) {
      sum = join(sum, WarpShuffle.read(k, WarpShuffle.Mode.DOWN, sum, distance, null));
    }
    Register base = k.b32("mov.u32", new Symbol("partials"));
    Register lane = k.b32("and.b32", thread, 31);
    Register warp = k.b32("shr.u32", thread, 5);
    Register valueAt = k.b32("mad.lo.u32", warp, valueBytes, base);
    Register firstLane = k.test("setp.eq.u32", lane, 0);
    // Before it is overwritten, all have read what the last group left.
    k.put("bar.sync", 0);
    String store = "st.shared." + math.registers().declaration();
    k.putIf(firstLane, store, at(valueAt, 0), sum.value());
    if (numbered) {
      Register numberAt = k.b32("mad.lo.u32", warp, 4, base);
      k.putIf(firstLane, "st.shared.b32", at(numberAt, warps() * valueBytes), sum.count());
    }
    k.put("bar.sync", 0);
    Cell total = stored(base, 0);
    for (int w = 1; w < warps(); w++) {
      total = join(total, stored(base, w));
    }
    return total;
  }

  private Cell stored(Register base, int warp) {
    String load = "ld.shared." + math.registers().declaration();
    Register value = k.make(math.registers(), load, at(base, warp * valueBytes));
    Register number =
        numbered ? k.b32("ld.shared.b32", at(base, warps() * valueBytes + 4 * warp)) : null;
    return new Cell(value, number);
  }

  /** Returns the reduction of two partial ones, whose cells lie in any order. */
  private Cell join(Cell a, Cell b) {
    if (!numbered) {
      return math.combine(a, b);
    }
    Register better = math.takesLater(a.value(), b.value());
    Register worse = math.takesLater(b.value(), a.value());
    Register earlier = k.test("setp.lt.u32", b.count(), a.count());
    Register notWorse = k.test("not.pred", worse);
    Register amongEquals = k.test("and.pred", earlier, notWorse);
    Register taken = k.test("or.pred", better, amongEquals);
    return b.with(a, (ofB, ofA) -> k.select(ofB, ofA, taken));
  }
}
