/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The registers of a warp as a cache, each lane owning consecutive cells. Lanes also hold the cells
 * after the warp's last: lane l those of the lane 32 + l that the warp does not have. A cell of
 * another lane is one select and one shuffle, whatever number of outputs it is a tap of.
 */
final class BlockedRegisterKernel implements CellWindow {
  private final WindowKernel kernel;
  private final PtxWriter k;
  private final int perLane;
  private final Register lane;
  private final List<Cell> own;
  private final List<Cell> beyond;
  private final Map<Integer, Cell> read = new HashMap<>();
  private final Map<Integer, Register> publishesBeyond = new HashMap<>();

  private BlockedRegisterKernel(KernelVariant variant) {
    this.kernel = new WindowKernel(variant);
    this.k = kernel.k;
    this.perLane = variant.how().cellsPerThread();
    this.lane = k.b32("and.b32", kernel.thread, Literal.of(31));
    this.own = kernel.math.newCells(perLane);
    this.beyond = kernel.math.newCells(perLane);
  }

  static GeneratedKernel generate(KernelVariant variant) {
    BlockedRegisterKernel cache = new BlockedRegisterKernel(variant);
    OutputStore store = new OutputStore(cache.kernel, null);
    cache.loadRegisters();
    Weighting weights = new Weighting(cache.kernel, 0);
    List<Cell> sums = SequentialForm.write(cache.kernel, cache, weights);
    store.write(cache.kernel.math.finish(sums), cache.kernel.math.validity(sums));
    return cache.kernel.finish();
  }

  private void loadRegisters() {
    int lanesBeyond = (kernel.skew + perLane + kernel.what.width() - 2) / perLane;
    Register ownFirst = k.b32("mad.lo.u32", kernel.thread, Literal.of(perLane), kernel.firstCell);
    Register beyondFirst = k.b32("add.u32", ownFirst, Literal.of(32 * perLane));
    int blockCells = (kernel.how.threadsPerBlock() + lanesBeyond) * perLane;
    Register inside = kernel.areStaged(kernel.firstCell, blockCells);
    Register holdsBeyond = k.test("setp.lt.u32", lane, Literal.of(lanesBeyond));
    for (Cell cell : beyond) {
      k.put(kernel.math.move(), cell.value(), kernel.math.neutral());
      if (kernel.math.counts()) {
        k.put("mov.u32", cell.count(), Literal.of(0));
      }
    }
    k.either(
        inside,
        "careful",
        "loaded",
        () -> load(ownFirst, beyondFirst, holdsBeyond, false),
        () -> load(ownFirst, beyondFirst, holdsBeyond, true));
    k.put("bar.warp.sync", Literal.of(0xFFFFFFFFL));
  }

  private void load(
      Register ownFirst, Register beyondFirst, Register holdsBeyond, boolean careful) {
    loadUnits(new GlobalWindow(kernel, ownFirst, careful), own);
    k.where(
        holdsBeyond,
        "beyond",
        () -> loadUnits(new GlobalWindow(kernel, beyondFirst, careful), beyond));
  }

  private void loadUnits(GlobalWindow window, List<Cell> cells) {
    for (int u = 0; u < perLane / kernel.unit; u++) {
      window.load(cells.subList(u * kernel.unit, (u + 1) * kernel.unit), u);
    }
  }

  @Override
  public Cell cell(int offset) {
    return read.computeIfAbsent(offset + kernel.skew, this::fetch);
  }

  private Cell fetch(int place) {
    int lanesAhead = place / perLane;
    int element = place % perLane;
    if (lanesAhead == 0) {
      return own.get(element);
    }
    Register further = k.b32("add.u32", lane, Literal.of(lanesAhead));
    Register source = k.b32("and.b32", further, Literal.of(31));
    Cell later = beyond.get(element);
    Register value = read(own.get(element).value(), later.value(), lanesAhead, source);
    Register count =
        kernel.math.counts()
            ? read(own.get(element).count(), later.count(), lanesAhead, source)
            : null;
    return new Cell(value, count);
  }

  private Register read(Register ours, Register later, int lanesAhead, Register source) {
    Register published = later;
    if (lanesAhead < 32) {
      // A lane below the distance is read by one whose neighbour lies beyond the warp.
      Register wraps =
          publishesBeyond.computeIfAbsent(
              lanesAhead, q -> k.test("setp.lt.u32", lane, Literal.of(q)));
      published = k.make(ours.type(), "selp." + ours.type().declaration(), later, ours, wraps);
    }
    return WarpShuffle.read(k, WarpShuffle.Mode.INDEX, published, source, null);
  }
}
