/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classic register cache: cell i of a warp in lane i mod 32, register i div 32. In the round of
 * tap u each lane publishes the register that its reader wants, the next one if the lane's number
 * is below u mod 32, and reads from the lane u further on. A single exit at the end: all lanes take
 * part in every shuffle.
 */
final class RoundRobinRegisterKernel {
  /** Rounds whose shuffles may be issued before their sums. */
  private static final int MAX_ROUNDS_AHEAD = 32;

  /** Cells that those rounds may bring, and counts beside them. */
  private static final int CELLS_AHEAD = 48;

  private static final int CELLS_AHEAD_WITH_COUNTS = 16;

  private static final Cell NONE = new Cell(null, null);

  private final WindowKernel k;
  private final int outputs;
  private final Register lane;
  private Register sourceLane;
  private Register publishingLane;
  private final Map<Integer, Register> wraps = new HashMap<>();
  private final Map<Integer, Register> sources = new HashMap<>();

  RoundRobinRegisterKernel(WindowKernel kernel) {
    this.k = kernel;
    this.outputs = k.how.cellsPerThread();
    this.lane = k.b32("and.b32", k.thread, 31);
    this.sourceLane = lane;
    this.publishingLane = lane;
  }

  GeneratedKernel write() {
    Register warpThread = k.b32("sub.u32", k.thread, lane);
    Register ahead = k.b32("mad.lo.u32", warpThread, outputs, lane);
    List<Cell> cache = loadCache(k.b32("add.u32", k.firstCell, ahead));
    Weighting weights = new Weighting(k, 0);
    List<Cell> sums = new ArrayList<>();
    int cellsAhead = k.math.counts() ? CELLS_AHEAD_WITH_COUNTS : CELLS_AHEAD;
    int roundsAhead = Math.min(MAX_ROUNDS_AHEAD, cellsAhead / outputs);
    for (int tap = 0; tap < k.what.width(); tap++) {
      if (tap > 0 && tap % roundsAhead == 0) {
        waitFor(sums.get(outputs - 1));
      }
      Operand weight = weights.weight(tap);
      for (int output = 0; output < outputs; output++) {
        Cell cell = read(cache, output + tap / 32, tap % 32);
        if (tap == 0) {
          sums.add(k.math.firstTap(cell, weight));
        } else {
          k.math.tap(sums.get(output), cell, weight);
        }
      }
    }
    Register position = k.b32("add.u32", k.firstPosition, ahead);
    storeOutputs(k.math.finish(sums), KernelParameter.OUTPUT, position, k.cellBytes);
    if (k.math.counts()) {
      storeOutputs(k.math.validity(sums), KernelParameter.OUTPUT_VALIDITY, position, 1);
    }
    return k.finish();
  }

  /**
   * Makes the shuffles that follow depend on a sum so far, without changing what they read: lanes
   * count modulo 32. Else the assembler issues all shuffles first and runs out of registers.
   */
  private void waitFor(Cell sum) {
    Register either =
        k.test("setp.eq." + PtxCells.arithmetic(k.what.type()), sum.value(), k.math.literal(1));
    Register sameLane = k.b32("add.u32", lane, 32);
    sourceLane = k.b32("selp.b32", lane, sameLane, either);
    sources.clear();
    if (k.math.counts()) {
      // Else what lanes publish is selected ahead as well: twice as much as without counts.
      publishingLane = k.b32("and.b32", sourceLane, 31);
      wraps.clear();
    }
  }

  private List<Cell> loadCache(Register first) {
    int needed = 32 * outputs + k.what.width() - 1;
    Register at = k.cellAt(first);
    Register validityAt = k.validityAt(first);
    List<Cell> cache = new ArrayList<>();
    for (int i = 0; 32 * i < needed; i++) {
      Register there = k.isStaged(first, 32 * i);
      if (needed - 32 * i < 32) {
        there = k.test("setp.lt.and.u32", lane, needed - 32 * i, there);
      }
      Cell cell = k.math.newCell();
      k.loadWhere(there, cell, "ld.global" + k.how.hints().load(), at, validityAt, 32 * i);
      cache.add(k.math.counts() ? k.math.neutralised(cell) : cell);
    }
    return cache;
  }

  /** Returns the cell {@code distance} lanes after this lane's cell in register {@code index}. */
  private Cell read(List<Cell> cache, int index, int distance) {
    Cell own = cache.get(index);
    Cell next = index + 1 < cache.size() ? cache.get(index + 1) : NONE;
    return distance == 0 ? own : own.with(next, (ours, later) -> read(ours, later, distance));
  }

  private Register read(Register own, Register next, int distance) {
    Register published = own;
    if (next != null) {
      Register wrap =
          wraps.computeIfAbsent(distance, d -> k.test("setp.lt.u32", publishingLane, d));
      published = k.select(next, own, wrap);
    }
    Register source =
        sources.computeIfAbsent(
            distance,
            d -> {
              Register further = k.b32("add.u32", sourceLane, d);
              return k.b32("and.b32", further, 31);
            });
    return WarpShuffle.read(k, WarpShuffle.Mode.INDEX, published, source, null);
  }

  private void storeOutputs(
      List<Register> values, KernelParameter target, Register first, int bytes) {
    Register at = k.global(target, first, bytes);
    String type = bytes == 1 ? "u8" : values.get(0).type().declaration();
    String opcode = "st.global%s.%s".formatted(k.how.hints().store(), type);
    for (int output = 0; output < outputs; output++) {
      Register inside = k.isPosition(first, 32 * output);
      k.putIf(inside, opcode, at(at, 32 * output * bytes), values.get(output));
    }
  }
}
