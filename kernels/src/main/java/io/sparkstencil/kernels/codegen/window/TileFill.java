/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.StagingStrategy;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a tile from global memory: neighbouring threads load neighbouring units. A block whose tile
 * ends before the staged cells do, which is all but the last few, takes a path without any check of
 * cells. Null cells become neutral on the way.
 */
final class TileFill {
  /** Loads in flight per thread before the first is stored. */
  private static final int BATCH = 8;

  private final WindowKernel kernel;
  private final PtxWriter k;
  private final SharedTile tile;
  private final NullCells nulls;
  private final BulkCopy bulk;
  private final Register policy;
  private Register whole;

  TileFill(WindowKernel kernel, SharedTile tile) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.tile = tile;
    this.nulls = new NullCells(kernel);
    this.policy = kernel.cachePolicy();
    this.bulk =
        kernel.how.staging() == StagingStrategy.SHARED_MEMORY_BULK
            ? new BulkCopy(kernel, policy)
            : null;
  }

  /**
   * Writes code that starts to fill the tile from staged cell {@code firstCell} on. All threads
   * have to pass it, and then {@link #await} before they read.
   */
  void write(Register firstCell) {
    whole = kernel.areStaged(firstCell, tile.shape().cells());
    k.either(
        whole, "careful", "filled", () -> writeWhole(firstCell), () -> writeCareful(firstCell));
  }

  /** Writes the wait until all threads' part of the tile is there. */
  void await() {
    k.put("bar.sync", Literal.of(0));
    if (bulk != null) {
      bulk.awaitIf(whole);
    }
  }

  private void writeWhole(Register firstCell) {
    if (bulk != null) {
      bulk.start(
          kernel.cellAt(firstCell),
          kernel.sharedAddress(tile.valueOffset()),
          tile.shape().cells() * kernel.cellBytes);
      return;
    }
    int threads = kernel.how.threadsPerBlock();
    int units = tile.shape().units();
    Register cell = k.b32("mad.lo.u32", kernel.thread, Literal.of(kernel.unit), firstCell);
    Register values = kernel.cellAt(cell);
    Register validity = kernel.validityAt(cell);
    int rounds = (units + threads - 1) / threads;
    for (int from = 0; from < rounds; from += BATCH) {
      int to = Math.min(rounds, from + BATCH);
      if (kernel.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
        copyAsync(values, from, to);
      } else {
        copyThroughRegisters(values, validity, from, to);
      }
    }
    if (kernel.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
      k.put("cp.async.wait_all");
    }
  }

  /** Returns the predicate of threads that take part in a round, or null if all do. */
  private Register partOf(int round) {
    int threads = kernel.how.threadsPerBlock();
    int left = tile.shape().units() - round * threads;
    return left >= threads ? null : k.test("setp.lt.u32", kernel.thread, Literal.of(left));
  }

  private void copyAsync(Register values, int from, int to) {
    for (int round = from; round < to; round++) {
      Register part = partOf(round);
      Address target = Address.at(placeInRound(round, tile.unitBytes(), tile.valueOffset()), 0);
      Address source = Address.at(values, round * kernel.how.threadsPerBlock() * tile.unitBytes());
      String copy = "cp.async.cg.shared.global" + (policy == null ? "" : ".L2::cache_hint");
      Operand[] operands =
          policy == null
              ? new Operand[] {target, source, Literal.of(16)}
              : new Operand[] {target, source, Literal.of(16), policy};
      if (part == null) {
        k.put(copy, operands);
      } else {
        k.putIf(part, copy, operands);
      }
    }
  }

  private void copyThroughRegisters(Register values, Register validity, int from, int to) {
    List<List<Register>> loaded = new ArrayList<>();
    List<Register> bytes = new ArrayList<>();
    List<Register> parts = new ArrayList<>();
    for (int round = from; round < to; round++) {
      Register part = partOf(round);
      int unitsBefore = round * kernel.how.threadsPerBlock();
      List<Register> registers = k.registers(kernel.math.registers(), kernel.unit);
      wherePart(
          part,
          "noload",
          () -> {
            k.load(
                "ld.global" + kernel.how.hints().load(),
                registers,
                Address.at(values, unitsBefore * tile.unitBytes()));
            if (validity != null) {
              bytes.add(nulls.loadUnit(Address.at(validity, unitsBefore * kernel.unit)));
            }
          });
      loaded.add(registers);
      parts.add(part);
    }
    for (int i = 0; i < loaded.size(); i++) {
      int number = i;
      int round = from + i;
      wherePart(
          parts.get(i),
          "nostore",
          () ->
              storeUnit(
                  loaded.get(number),
                  validity == null ? null : nulls.unpack(bytes.get(number)),
                  placeInRound(round, tile.unitBytes(), tile.valueOffset()),
                  validity == null
                      ? null
                      : placeInRound(round, tile.countUnitBytes(), tile.countOffset())));
    }
  }

  /** Writes work for threads of which {@code part} holds, or for all if it is null. */
  private void wherePart(Register part, String label, Runnable work) {
    if (part == null) {
      work.run();
    } else {
      k.where(part, label, work);
    }
  }

  /** Returns the shared address of this thread's unit in a round. */
  private Register placeInRound(int round, int unitBytes, int offset) {
    int threads = kernel.how.threadsPerBlock();
    Register unitIndex =
        round == 0 ? kernel.thread : k.b32("add.u32", kernel.thread, Literal.of(round * threads));
    return kernel.sharedAddress(offset, tile.placeOf(unitIndex), unitBytes);
  }

  private void storeUnit(
      List<Register> values, List<Register> counts, Register valueAt, Register countAt) {
    List<Register> stored = values;
    if (counts != null) {
      stored = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        stored.add(nulls.neutralised(values.get(i), counts.get(i)));
      }
    }
    k.store("st.shared", Address.at(valueAt, 0), stored);
    if (counts != null) {
      k.store("st.shared", Address.at(countAt, 0), counts);
    }
  }

  /** Near the end of the staged cells: a loop that checks every cell. */
  private void writeCareful(Register firstCell) {
    Register unitIndex = k.b32("mov.u32", kernel.thread);
    Symbol again = k.label("unit");
    k.place(again);
    Register cell = k.b32("mad.lo.u32", unitIndex, Literal.of(kernel.unit), firstCell);
    Register valueAt = kernel.cellAt(cell);
    Register validityAt = kernel.validityAt(cell);
    List<Register> values = new ArrayList<>();
    List<Register> counts = kernel.math.counts() ? new ArrayList<>() : null;
    for (int i = 0; i < kernel.unit; i++) {
      Register there = kernel.isStaged(cell, i);
      Register value = k.make(kernel.math.registers(), kernel.math.move(), kernel.math.neutral());
      k.putIf(
          there,
          "ld.global.nc." + CellType.memory(kernel.what.type()),
          value,
          Address.at(valueAt, i * kernel.cellBytes));
      values.add(value);
      if (counts != null) {
        Register count = k.b32("mov.u32", Literal.of(0));
        k.putIf(there, "ld.global.nc.u8", count, Address.at(validityAt, i));
        counts.add(count);
      }
    }
    Register place = tile.placeOf(unitIndex);
    storeUnit(
        values,
        counts,
        kernel.sharedAddress(tile.valueOffset(), place, tile.unitBytes()),
        counts == null
            ? null
            : kernel.sharedAddress(tile.countOffset(), place, tile.countUnitBytes()));
    k.put("add.u32", unitIndex, unitIndex, Literal.of(kernel.how.threadsPerBlock()));
    Register more = k.test("setp.lt.u32", unitIndex, Literal.of(tile.shape().units()));
    k.putIf(more, "bra", again);
  }
}
