/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
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

  private final KernelFrame frame;
  private final PtxWriter k;
  private final SharedTile tile;
  private final NullCells nulls;
  private final BulkCopy bulk;
  private final Register policy;
  private Register whole;

  TileFill(KernelFrame frame, SharedTile tile) {
    this.frame = frame;
    this.k = frame.k;
    this.tile = tile;
    this.nulls = new NullCells(frame);
    this.policy = frame.cachePolicy();
    this.bulk =
        frame.how.staging() == StagingStrategy.SHARED_MEMORY_BULK
            ? new BulkCopy(frame, policy)
            : null;
  }

  /**
   * Writes code that starts to fill the tile from staged cell {@code firstCell} on. All threads
   * have to pass it, and then {@link #await} before they read.
   */
  void write(Register firstCell) {
    TileShape shape = tile.shape();
    Register end = k.make(PtxType.B32, "add.u32", firstCell, Literal.of(shape.cells()));
    whole =
        k.make(
            PtxType.PREDICATE, "setp.le.u32", end, frame.parameter(KernelParameter.STAGED_CELLS));
    Symbol careful = k.label("careful");
    Symbol filled = k.label("filled");
    k.putUnless(whole, "bra", careful);
    if (bulk == null) {
      writeWhole(firstCell);
    } else {
      bulk.start(
          frame.globalAddress(
              frame.parameter(KernelParameter.INPUT), firstCell, frame.what.type().bytes()),
          frame.sharedAddress(tile.valueOffset()),
          shape.cells() * frame.what.type().bytes());
    }
    k.put("bra.uni", filled);
    k.place(careful);
    writeCareful(firstCell);
    k.place(filled);
  }

  /** Writes the wait until all threads' part of the tile is there. */
  void await() {
    k.put("bar.sync", Literal.of(0));
    if (bulk != null) {
      bulk.awaitIf(whole);
    }
  }

  private void writeWhole(Register firstCell) {
    int threads = frame.how.threadsPerBlock();
    int units = tile.shape().units();
    Register cell =
        k.make(PtxType.B32, "mad.lo.u32", frame.thread, Literal.of(frame.unit), firstCell);
    Register values =
        frame.globalAddress(
            frame.parameter(KernelParameter.INPUT), cell, frame.what.type().bytes());
    Register validity =
        frame.math.counts()
            ? frame.globalAddress(frame.parameter(KernelParameter.INPUT_VALIDITY), cell, 1)
            : null;
    int rounds = (units + threads - 1) / threads;
    for (int from = 0; from < rounds; from += BATCH) {
      int to = Math.min(rounds, from + BATCH);
      if (frame.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
        copyAsync(values, from, to);
      } else {
        copyThroughRegisters(values, validity, from, to);
      }
    }
    if (frame.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
      k.put("cp.async.wait_all");
    }
  }

  /** Returns the predicate of threads that take part in a round, or null if all do. */
  private Register partOf(int round) {
    int threads = frame.how.threadsPerBlock();
    int left = tile.shape().units() - round * threads;
    return left >= threads
        ? null
        : k.make(PtxType.PREDICATE, "setp.lt.u32", frame.thread, Literal.of(left));
  }

  private void copyAsync(Register values, int from, int to) {
    for (int round = from; round < to; round++) {
      Register part = partOf(round);
      Address target = Address.at(placeInRound(round, tile.unitBytes(), tile.valueOffset()), 0);
      Address source = Address.at(values, round * frame.how.threadsPerBlock() * tile.unitBytes());
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
      Symbol skip = part == null ? null : k.label("noload");
      if (part != null) {
        k.putUnless(part, "bra", skip);
      }
      int unitsBefore = round * frame.how.threadsPerBlock();
      List<Register> registers = k.registers(frame.math.registers(), frame.unit);
      tile.vector(
          "ld.global" + frame.how.hints().load(),
          CellType.memory(frame.what.type()),
          registers,
          Address.at(values, unitsBefore * tile.unitBytes()));
      loaded.add(registers);
      if (validity != null) {
        bytes.add(
            k.make(
                PtxType.B32,
                "ld.global.nc.u" + 8 * frame.unit,
                Address.at(validity, unitsBefore * frame.unit)));
      }
      if (part != null) {
        k.place(skip);
      }
      parts.add(part);
    }
    for (int round = from; round < to; round++) {
      Register part = parts.get(round - from);
      Symbol skip = part == null ? null : k.label("nostore");
      if (part != null) {
        k.putUnless(part, "bra", skip);
      }
      storeUnit(
          loaded.get(round - from),
          validity == null ? null : nulls.unpack(bytes.get(round - from)),
          placeInRound(round, tile.unitBytes(), tile.valueOffset()),
          validity == null ? null : placeInRound(round, tile.countUnitBytes(), tile.countOffset()));
      if (part != null) {
        k.place(skip);
      }
    }
  }

  /** Returns the shared address of this thread's unit in a round. */
  private Register placeInRound(int round, int unitBytes, int offset) {
    int threads = frame.how.threadsPerBlock();
    Register unitIndex =
        round == 0
            ? frame.thread
            : k.make(PtxType.B32, "add.u32", frame.thread, Literal.of(round * threads));
    return frame.sharedAddress(frame.sharedAddress(offset), tile.placeOf(unitIndex), unitBytes);
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
    tile.vector("st.shared", CellType.memory(frame.what.type()), stored, Address.at(valueAt, 0));
    if (counts != null) {
      tile.vector("st.shared", "b32", counts, Address.at(countAt, 0));
    }
  }

  /** Near the end of the staged cells: a loop that checks every cell. */
  private void writeCareful(Register firstCell) {
    Register unitIndex = k.make(PtxType.B32, "mov.u32", frame.thread);
    Symbol again = k.label("unit");
    k.place(again);
    Register cell = k.make(PtxType.B32, "mad.lo.u32", unitIndex, Literal.of(frame.unit), firstCell);
    Register valueAt =
        frame.globalAddress(
            frame.parameter(KernelParameter.INPUT), cell, frame.what.type().bytes());
    Register validityAt =
        frame.math.counts()
            ? frame.globalAddress(frame.parameter(KernelParameter.INPUT_VALIDITY), cell, 1)
            : null;
    List<Register> values = new ArrayList<>();
    List<Register> counts = frame.math.counts() ? new ArrayList<>() : null;
    for (int i = 0; i < frame.unit; i++) {
      Register index = k.make(PtxType.B32, "add.u32", cell, Literal.of(i));
      Register there =
          k.make(
              PtxType.PREDICATE,
              "setp.lt.u32",
              index,
              frame.parameter(KernelParameter.STAGED_CELLS));
      Register value = k.make(frame.math.registers(), frame.math.move(), frame.math.neutral());
      k.putIf(
          there,
          "ld.global.nc." + CellType.memory(frame.what.type()),
          value,
          Address.at(valueAt, i * frame.what.type().bytes()));
      values.add(value);
      if (counts != null) {
        Register count = k.make(PtxType.B32, "mov.u32", Literal.of(0));
        k.putIf(there, "ld.global.nc.u8", count, Address.at(validityAt, i));
        counts.add(count);
      }
    }
    Register place = tile.placeOf(unitIndex);
    storeUnit(
        values,
        counts,
        frame.sharedAddress(frame.sharedAddress(tile.valueOffset()), place, tile.unitBytes()),
        counts == null
            ? null
            : frame.sharedAddress(
                frame.sharedAddress(tile.countOffset()), place, tile.countUnitBytes()));
    k.put("add.u32", unitIndex, unitIndex, Literal.of(frame.how.threadsPerBlock()));
    Register more =
        k.make(PtxType.PREDICATE, "setp.lt.u32", unitIndex, Literal.of(tile.shape().units()));
    k.putIf(more, "bra", again);
  }
}
