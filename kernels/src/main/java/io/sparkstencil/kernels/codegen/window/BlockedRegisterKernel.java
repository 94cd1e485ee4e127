/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The registers of a warp as a cache, each lane owning consecutive cells. Lanes also hold the cells
 * after the warp's last: lane l those of the lane 32 + l that the warp does not have. A cell of
 * another lane is one select and one shuffle, whatever number of outputs it is a tap of.
 */
final class BlockedRegisterKernel {
  private final WindowKernel k;
  private final int perLane;
  private final Register lane;
  private final List<Cell> own;
  private final List<Cell> beyond;
  private final Map<Integer, Cell> read = new HashMap<>();
  private final Map<Integer, Register> publishesBeyond = new HashMap<>();

  BlockedRegisterKernel(WindowKernel kernel) {
    this.k = kernel;
    this.perLane = k.how.cellsPerThread();
    this.lane = k.b32("and.b32", k.thread, 31);
    this.own = k.math.newCells(perLane);
    this.beyond = k.math.newCells(perLane);
  }

  GeneratedKernel write() {
    OutputStore store = new OutputStore(k, null);
    loadRegisters();
    Weighting weights = new Weighting(k, 0);
    return k.finish(store, k.reduceInOrder(this::cell, weights));
  }

  private void loadRegisters() {
    int lanesBeyond = (k.skew + perLane + k.what.width() - 2) / perLane;
    Register ownFirst = k.b32("mad.lo.u32", k.thread, perLane, k.firstCell);
    Register beyondFirst = k.b32("add.u32", ownFirst, 32 * perLane);
    int blockCells = (k.how.threadsPerBlock() + lanesBeyond) * perLane;
    Register inside = k.areStaged(k.firstCell, blockCells);
    Register holdsBeyond = k.test("setp.lt.u32", lane, lanesBeyond);
    for (Cell cell : beyond) {
      k.put(k.math.move(), cell.value(), k.math.neutral());
      if (k.math.counts()) {
        k.put("mov.u32", cell.count(), 0);
      }
    }
    k.either(
        inside,
        "careful",
        "loaded",
        () -> load(ownFirst, beyondFirst, holdsBeyond, false),
        () -> load(ownFirst, beyondFirst, holdsBeyond, true));
    k.put("bar.warp.sync", 0xFFFFFFFFL);
  }

  private void load(
      Register ownFirst, Register beyondFirst, Register holdsBeyond, boolean careful) {
    loadUnits(ownFirst, careful, own);
    k.where(holdsBeyond, "beyond", () -> loadUnits(beyondFirst, careful, beyond));
  }

  private void loadUnits(Register first, boolean careful, List<Cell> cells) {
    GlobalWindow window = new GlobalWindow(k, first, careful);
    for (int u = 0; u < perLane / k.unit; u++) {
      window.load(cells.subList(u * k.unit, (u + 1) * k.unit), u);
    }
  }

  private Cell cell(int offset) {
    return read.computeIfAbsent(offset + k.skew, this::fetch);
  }

  private Cell fetch(int place) {
    int lanesAhead = place / perLane;
    Cell cell = own.get(place % perLane);
    if (lanesAhead == 0) {
      return cell;
    }
    Register further = k.b32("add.u32", lane, lanesAhead);
    Register source = k.b32("and.b32", further, 31);
    return cell.with(
        beyond.get(place % perLane), (ours, later) -> read(ours, later, lanesAhead, source));
  }

  private Register read(Register ours, Register later, int lanesAhead, Register source) {
    Register published = later;
    if (lanesAhead < 32) {
      // A lane below the distance is read by one whose neighbour lies beyond the warp.
      Register wraps =
          publishesBeyond.computeIfAbsent(lanesAhead, q -> k.test("setp.lt.u32", lane, q));
      published = k.select(later, ours, wraps);
    }
    return WarpShuffle.read(k, WarpShuffle.Mode.INDEX, published, source, null);
  }
}
