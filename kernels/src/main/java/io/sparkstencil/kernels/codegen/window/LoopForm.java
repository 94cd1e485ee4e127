/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each output on its own, taps left to right, in a loop: as straight-line code, 129 taps of 32
 * outputs outgrow the instruction cache and run six times slower than this loop.
 *
 * <p>A thread holds two groups of R cells in registers. A step adds R taps to its R outputs, which
 * takes the cells of the current group and the next; then the next is the current one. Two steps
 * make a turn of the loop, so that groups change places without being moved. Frames that do not fit
 * a tile with their block run over several fills of it.
 *
 * <p>Where the first frame is askew of a 16-byte boundary, tap numbers start at the skew: step 0
 * then has fewer taps and comes before the loop. What does not fill a pair of steps comes after it.
 */
final class LoopForm {
  /** Cells of a tile beyond which frames are taken piece by piece: 32 KiB. */
  private static final int MAX_TILE_BYTES = 32 << 10;

  private final WindowKernel k;
  private final int outputs;
  private final int firstSteps;
  private final int pairs;
  private final int oddSteps;
  private final int lastTaps;
  private final int pairsPerTile;
  private final SharedTile tile;
  private final OutputStore store;
  private final Weighting weights;
  private Cell at; // addresses of the current group
  private Register weightsAt;
  private List<Cell> sums;
  private List<Cell> current;
  private List<Cell> next;

  LoopForm(WindowKernel kernel) {
    this.k = kernel;
    this.outputs = k.how.cellsPerThread();
    int end = k.skew + k.what.width();
    this.firstSteps = k.skew > 0 ? 1 : 0;
    int wholeSteps = end / outputs - firstSteps;
    this.pairs = wholeSteps / 2;
    this.oddSteps = wholeSteps % 2;
    this.lastTaps = end % outputs;
    this.pairsPerTile = Math.min(pairs, pairsThatFit());
    int groups = firstSteps + 2 * pairsPerTile + oddSteps + (lastTaps > 0 ? 1 : 0);
    this.tile = new SharedTile(k, k.how.outputsPerBlock() + groups * outputs);
    this.store = new OutputStore(kernel, tile);
    this.weights = new Weighting(kernel, k.skew);
  }

  private int pairsThatFit() {
    int cellBytes = k.cellBytes + (k.math.counts() ? 4 : 0);
    int cells = MAX_TILE_BYTES / cellBytes - k.how.outputsPerBlock() - 3 * outputs;
    return Math.max(1, cells / (2 * outputs));
  }

  /** Writes the whole kernel. */
  GeneratedKernel write() {
    TileFill fill = new TileFill(k, tile);
    Register cell = k.b32("mov.u32", k.firstCell);
    fill.write(cell);
    tile.locateOwn();
    fill.await();
    sums = Stream.generate(k.math::start).limit(outputs).toList();
    at = tile.own().with(tile.own(), (own, same) -> k.b32("mov.u32", own));
    weightsAt = weights.weighted() ? k.b64("mov.u64", weights.base()) : null;
    current = k.math.newCells(outputs);
    next = k.math.newCells(outputs);
    load(current, 0);
    if (firstSteps > 0) {
      singleStep(k.skew);
    }
    if (pairs > 0) {
      writeLoops(fill, cell);
    }
    if (oddSteps > 0) {
      singleStep(0);
    }
    if (lastTaps > 0) {
      load(next, 1);
      step(current, next, 0, lastTaps, 0);
    }
    return k.finish(store, sums);
  }

  /** Adds the taps from {@code from} on of one step, and goes on to the next group. */
  private void singleStep(int from) {
    load(next, 1);
    step(current, next, from, outputs, 0);
    advance(1);
    List<Cell> used = current;
    current = next;
    next = used;
  }

  private void writeLoops(TileFill fill, Register cell) {
    Register remaining = k.b32("mov.u32", pairs);
    Symbol nextTile = k.label("tile");
    Symbol turn = k.label("turn");
    Symbol finished = k.label("turned");
    boolean severalTiles = pairs > pairsPerTile;
    if (severalTiles) {
      k.place(nextTile);
    }
    Register turns = k.b32("min.u32", remaining, pairsPerTile);
    k.put("sub.u32", remaining, remaining, turns);
    k.place(turn);
    k.keepRolled();
    load(next, 1);
    step(current, next, 0, outputs, 0);
    load(current, 2);
    step(next, current, 0, outputs, outputs);
    advance(2);
    k.put("sub.u32", turns, turns, 1);
    k.putIf(k.test("setp.ne.u32", turns, 0), "bra", turn);
    if (severalTiles) {
      k.putIf(k.test("setp.eq.u32", remaining, 0), "bra", finished);
      k.put("bar.sync", 0);
      k.put("add.u32", cell, cell, 2 * pairsPerTile * outputs);
      fill.write(cell);
      fill.await();
      goTo(tile.own(), firstSteps);
      k.put("bra.uni", nextTile);
      k.place(finished);
    }
  }

  /** Loads the group {@code ahead} groups after the current one. */
  private void load(List<Cell> group, int ahead) {
    int units = tile.shape.unitsPerThread();
    for (int u = 0; u < units; u++) {
      tile.loadUnit(at, ahead * units + u, group.subList(u * k.unit, (u + 1) * k.unit));
    }
  }

  private void advance(int groups) {
    goTo(at, groups);
    if (weightsAt != null) {
      k.put("add.u64", weightsAt, weightsAt, groups * outputs * k.cellBytes);
    }
  }

  /** Makes the group {@code groups} groups after the one at {@code from} the current one. */
  private void goTo(Cell from, int groups) {
    int units = groups * tile.shape.threadStride();
    k.put("add.u32", at.value(), from.value(), units * tile.unitBytes());
    if (at.count() != null) {
      k.put("add.u32", at.count(), from.count(), units * tile.countUnitBytes());
    }
  }

  /**
   * Adds taps {@code [from, to)} of a step to all outputs.
   *
   * @param ahead weights between the current step and this one
   */
  private void step(List<Cell> here, List<Cell> after, int from, int to, int ahead) {
    int perVector = k.what.cellsPerVector();
    List<Register> loaded = List.of();
    for (int tap = from; tap < to; tap++) {
      Operand weight = null;
      if (weights.weighted()) {
        if (tap == from || tap % perVector == 0) {
          loaded = weights.load(weightsAt, ahead + tap / perVector * perVector);
        }
        weight = loaded.get(tap % perVector);
      }
      for (int output = 0; output < outputs; output++) {
        int cell = output + tap;
        k.math.tap(
            sums.get(output), cell < outputs ? here.get(cell) : after.get(cell - outputs), weight);
      }
    }
  }
}
