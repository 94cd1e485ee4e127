/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;

/** Reductions over the threads of a block, in the order of threads. */
final class BlockScan {
  private final WindowKernel k;
  private final int warps;
  private final Register lane;
  private final Register warp;

  BlockScan(WindowKernel kernel) {
    this.k = kernel;
    this.warps = k.how.threadsPerBlock() / 32;
    this.lane = k.b32("and.b32", k.thread, 31);
    this.warp = k.b32("shr.u32", k.thread, 5);
  }

  /** Returns the reduction of what all threads before this one have; neutral for the first. */
  Cell before(Cell own) {
    Cell inclusive = inclusive(WarpShuffle.Mode.UP, own);
    TotalsRow row = shareTotals(inclusive, 31);
    Register exists = k.register(PtxType.PREDICATE);
    Cell inWarp = WarpShuffle.read(k, WarpShuffle.Mode.UP, inclusive, 1, exists);
    Cell result = k.math.start();
    for (int w = 0; w < warps - 1; w++) {
      Register earlier = k.test("setp.gt.u32", warp, w);
      result = k.math.combine(result, select(row.loadAt(w), k.math.start(), earlier));
    }
    return k.math.combine(result, select(inWarp, k.math.start(), exists));
  }

  /** Returns the reduction of what all threads after this one have; neutral for the last. */
  Cell after(Cell own) {
    Cell inclusive = inclusive(WarpShuffle.Mode.DOWN, own);
    TotalsRow row = shareTotals(inclusive, 0);
    Register exists = k.register(PtxType.PREDICATE);
    Cell inWarp = WarpShuffle.read(k, WarpShuffle.Mode.DOWN, inclusive, 1, exists);
    Cell result = select(inWarp, k.math.start(), exists);
    for (int w = 1; w < warps; w++) {
      Register later = k.test("setp.lt.u32", warp, w);
      result = k.math.combine(result, select(row.loadAt(w), k.math.start(), later));
    }
    return result;
  }

  /** Returns the reduction of what this lane and all lanes before, or after, it have. */
  private Cell inclusive(WarpShuffle.Mode mode, Cell own) {
    Cell sum = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      Register exists = k.register(PtxType.PREDICATE);
      Cell other = WarpShuffle.read(k, mode, sum, distance, exists);
      boolean earlier = mode == WarpShuffle.Mode.UP;
      Cell both = earlier ? k.math.combine(other, sum) : k.math.combine(sum, other);
      sum = select(both, sum, exists);
    }
    return sum;
  }

  /** Returns, to all threads, the reduction of what they have, in any order. */
  Cell all(Cell own) {
    Cell sum = own;
    for (int distance = 16; distance > 0; distance /= 2) {
      sum = k.math.combine(sum, WarpShuffle.read(k, WarpShuffle.Mode.DOWN, sum, distance, null));
    }
    TotalsRow row = shareTotals(sum, 0);
    Cell result = row.loadAt(0);
    for (int w = 1; w < warps; w++) {
      result = k.math.combine(result, row.loadAt(w));
    }
    return result;
  }

  /** Puts each warp's total, which {@code fromLane} has, into a row, and waits for all. */
  private TotalsRow shareTotals(Cell total, int fromLane) {
    TotalsRow row = new TotalsRow(k, warps, warp);
    Register mine = k.test("setp.eq.u32", lane, fromLane);
    k.where(mine, "total", () -> row.store(0, total));
    k.put("bar.sync", 0);
    return row;
  }

  private Cell select(Cell ifTrue, Cell ifFalse, Register predicate) {
    return ifTrue.with(ifFalse, (a, b) -> k.select(a, b, predicate));
  }
}
