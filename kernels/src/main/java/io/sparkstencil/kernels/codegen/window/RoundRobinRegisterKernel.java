/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.KernelVariant;
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

  private final WindowKernel kernel;
  private final PtxWriter k;
  private final int outputs;
  private final Register lane;
  private Register sourceLane;
  private Register publishingLane;
  private final Map<Integer, Register> wraps = new HashMap<>();
  private final Map<Integer, Register> sources = new HashMap<>();

  private RoundRobinRegisterKernel(KernelVariant variant) {
    this.kernel = new WindowKernel(variant);
    this.k = kernel.k;
    this.outputs = variant.how().cellsPerThread();
    this.lane = k.b32("and.b32", kernel.thread, Literal.of(31));
    this.sourceLane = lane;
    this.publishingLane = lane;
  }

  static GeneratedKernel generate(KernelVariant variant) {
    RoundRobinRegisterKernel cache = new RoundRobinRegisterKernel(variant);
    cache.write();
    return cache.kernel.finish();
  }

  private void write() {
    Register warpThread = k.b32("sub.u32", kernel.thread, lane);
    Register ahead = k.b32("mad.lo.u32", warpThread, Literal.of(outputs), lane);
    List<Cell> cache = loadCache(k.b32("add.u32", kernel.firstCell, ahead));
    Weighting weights = new Weighting(kernel, 0);
    List<Cell> sums = new ArrayList<>();
    int cellsAhead = kernel.math.counts() ? CELLS_AHEAD_WITH_COUNTS : CELLS_AHEAD;
    int roundsAhead = Math.min(MAX_ROUNDS_AHEAD, cellsAhead / outputs);
    for (int tap = 0; tap < kernel.what.width(); tap++) {
      if (tap > 0 && tap % roundsAhead == 0) {
        waitFor(sums.get(outputs - 1));
      }
      Operand weight = weights.weight(tap);
      for (int output = 0; output < outputs; output++) {
        Cell cell = read(cache, output + tap / 32, tap % 32);
        if (tap == 0) {
          sums.add(kernel.math.firstTap(cell, weight));
        } else {
          kernel.math.tap(sums.get(output), cell, weight);
        }
      }
    }
    Register position = k.b32("add.u32", kernel.firstPosition, ahead);
    storeOutputs(
        kernel.math.finish(sums),
        KernelParameter.OUTPUT,
        position,
        kernel.cellBytes,
        CellType.memory(kernel.what.type()));
    if (kernel.math.counts()) {
      storeOutputs(kernel.math.validity(sums), KernelParameter.OUTPUT_VALIDITY, position, 1, "u8");
    }
  }

  /**
   * Makes the shuffles that follow depend on a sum so far, without changing what they read: lanes
   * count modulo 32. Else the assembler issues all shuffles first and runs out of registers.
   */
  private void waitFor(Cell sum) {
    Register either =
        k.test(
            "setp.eq." + CellType.arithmetic(kernel.what.type()),
            sum.value(),
            kernel.math.literal(1));
    Register sameLane = k.b32("add.u32", lane, Literal.of(32));
    sourceLane = k.b32("selp.b32", lane, sameLane, either);
    sources.clear();
    if (kernel.math.counts()) {
      // Else what lanes publish is selected ahead as well: twice as much as without counts.
      publishingLane = k.b32("and.b32", sourceLane, Literal.of(31));
      wraps.clear();
    }
  }

  private List<Cell> loadCache(Register first) {
    int needed = 32 * outputs + kernel.what.width() - 1;
    Register at = kernel.cellAt(first);
    Register validityAt = kernel.validityAt(first);
    NullCells nulls = new NullCells(kernel);
    List<Cell> cache = new ArrayList<>();
    for (int i = 0; 32 * i < needed; i++) {
      Register there = kernel.isStaged(first, 32 * i);
      if (needed - 32 * i < 32) {
        there = k.test("setp.lt.and.u32", lane, Literal.of(needed - 32 * i), there);
      }
      Register value = k.make(kernel.math.registers(), kernel.math.move(), kernel.math.neutral());
      k.putIf(
          there,
          "ld.global%s.%s"
              .formatted(kernel.how.hints().load(), CellType.memory(kernel.what.type())),
          value,
          Address.at(at, 32 * i * kernel.cellBytes));
      Register count = null;
      if (kernel.math.counts()) {
        count = k.b32("mov.u32", Literal.of(0));
        k.putIf(there, "ld.global.nc.u8", count, Address.at(validityAt, 32 * i));
        value = nulls.neutralised(value, count);
      }
      cache.add(new Cell(value, count));
    }
    return cache;
  }

  /** Returns the cell {@code distance} lanes after this lane's cell in register {@code index}. */
  private Cell read(List<Cell> cache, int index, int distance) {
    Cell own = cache.get(index);
    if (distance == 0) {
      return own;
    }
    Cell next = index + 1 < cache.size() ? cache.get(index + 1) : null;
    Register value = read(own.value(), next == null ? null : next.value(), distance);
    Register count =
        kernel.math.counts()
            ? read(own.count(), next == null ? null : next.count(), distance)
            : null;
    return new Cell(value, count);
  }

  private Register read(Register own, Register next, int distance) {
    Register published = own;
    if (next != null) {
      Register wrap =
          wraps.computeIfAbsent(
              distance, d -> k.test("setp.lt.u32", publishingLane, Literal.of(d)));
      published = k.make(own.type(), "selp." + own.type().declaration(), next, own, wrap);
    }
    Register source =
        sources.computeIfAbsent(
            distance,
            d -> {
              Register further = k.b32("add.u32", sourceLane, Literal.of(d));
              return k.b32("and.b32", further, Literal.of(31));
            });
    return WarpShuffle.read(k, WarpShuffle.Mode.INDEX, published, source, null);
  }

  private void storeOutputs(
      List<Register> values, KernelParameter target, Register first, int bytes, String type) {
    Register at = kernel.globalAddress(kernel.parameter(target), first, bytes);
    for (int output = 0; output < outputs; output++) {
      Register inside = kernel.isPosition(first, 32 * output);
      k.putIf(
          inside,
          "st.global%s.%s".formatted(kernel.how.hints().store(), type),
          Address.at(at, 32 * output * bytes),
          values.get(output));
    }
  }
}
