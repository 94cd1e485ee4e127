/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.StagingStrategy;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a tile from global memory: neighbouring threads load neighbouring units. A block whose tile
 * ends before the staged cells do, which is all but the last few, takes a path without any check of
 * cells. Null cells become neutral on the way.
 *
 * <p>The bulk copy engine of sm_90 fills a tile by one copy of consecutive bytes, which a single
 * thread starts. A barrier object in shared memory, which counts bytes, says when it has ended;
 * each fill is the next phase of that object.
 */
final class TileFill {
  /** Loads in flight per thread before the first is stored. */
  private static final int BATCH = 8;

  private static final long ALL_LANES = 0xFFFFFFFFL;

  private static final String ARRIVE = "mbarrier.arrive.expect_tx.shared::cta.b64";
  private static final String COPY =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  private static final String TRY = "mbarrier.try_wait.parity.shared::cta.b64";

  private final WindowKernel k;
  private final SharedTile tile;
  private final Register policy; // for the second-level cache, or null
  private final boolean bulk;
  private Register barrier; // these three for bulk copies
  private Register leader;
  private Register parity;
  private Register whole;
  private Register slot; // bytes from the tile to the one that is filled, or null

  TileFill(WindowKernel kernel, SharedTile tile) {
    this.k = kernel;
    this.tile = tile;
    this.policy = k.cachePolicy();
    this.bulk = k.how.staging() == StagingStrategy.SHARED_MEMORY_BULK;
    if (bulk) {
      barrier = k.sharedAddress(k.reserveShared(8));
      leader = k.test("setp.eq.u32", k.thread, 0);
      parity = k.b32("mov.u32", 0);
      k.putIf(leader, "mbarrier.init.shared::cta.b64", at(barrier, 0), 1);
      // The copy engine has to see the barrier object as well.
      k.putIf(leader, "fence.proxy.async.shared::cta");
    }
  }

  /**
   * Writes code that starts to fill the tile from staged cell {@code firstCell} on. All threads
   * have to pass it, and then {@link #await} before they read.
   */
  void write(Register firstCell) {
    whole = k.areStaged(firstCell, tile.shape.cells());
    k.either(
        whole,
        "careful",
        "filled",
        () -> {
          writeWhole(firstCell);
          if (k.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
            k.put("cp.async.wait_all");
          }
        },
        () -> writeCareful(firstCell));
  }

  /**
   * Writes code that starts to fill a tile by asynchronous copies, for which nobody waits yet. The
   * lanes of a warp come out of it together, as products of tensor cores ask for.
   *
   * @param slot bytes from the tile to the one that is filled
   */
  void begin(Register firstCell, Register slot) {
    this.slot = slot;
    whole = k.areStaged(firstCell, tile.shape.cells());
    k.either(
        whole,
        "careful",
        "filled",
        () -> writeWhole(firstCell),
        () -> {
          writeCareful(firstCell); // a loop that lanes leave one after the other
          k.put("bar.warp.sync", ALL_LANES);
        });
  }

  /** Writes the wait for all copies that this thread began, and for those of the other threads. */
  void awaitBegun() {
    k.put("cp.async.wait_all");
    k.put("bar.sync", 0);
  }

  /** Writes the wait until all threads' part of the tile is there. */
  void await() {
    k.put("bar.sync", 0);
    if (bulk) {
      Symbol again = k.label("bulkwait");
      Symbol there = k.label("bulkthere");
      k.putUnless(whole, "bra", there);
      k.place(again);
      Register complete = k.test(TRY, at(barrier, 0), parity);
      k.putUnless(complete, "bra", again);
      k.put("xor.b32", parity, parity, 1);
      k.place(there);
    }
  }

  private void writeWhole(Register firstCell) {
    if (bulk) {
      copyBulk(k.cellAt(firstCell), k.sharedAddress(tile.valueOffset));
      return;
    }
    int threads = k.how.threadsPerBlock();
    int units = tile.shape.units();
    Register cell = k.b32("mad.lo.u32", k.thread, k.unit, firstCell);
    Register values = k.cellAt(cell);
    Register validity = k.validityAt(cell);
    int rounds = (units + threads - 1) / threads;
    for (int from = 0; from < rounds; from += BATCH) {
      int to = Math.min(rounds, from + BATCH);
      if (k.how.staging() == StagingStrategy.SHARED_MEMORY_ASYNC) {
        copyAsync(values, from, to);
      } else {
        copyThroughRegisters(values, validity, from, to);
      }
    }
  }

  private void copyBulk(Register source, Register target) {
    int bytes = tile.shape.cells() * k.cellBytes;
    String copy = COPY + (policy == null ? "" : ".L2::cache_hint");
    k.where(
        leader,
        "bulkstarted",
        () -> {
          k.put(ARRIVE, new Symbol("_"), at(barrier, 0), bytes);
          k.put(copy, at(target, 0), at(source, 0), bytes, at(barrier, 0), policy);
        });
  }

  /** Returns the predicate of threads that take part in a round, or null if all do. */
  private Register partOf(int round) {
    int threads = k.how.threadsPerBlock();
    int left = tile.shape.units() - round * threads;
    return left >= threads ? null : k.test("setp.lt.u32", k.thread, left);
  }

  private void copyAsync(Register values, int from, int to) {
    String copy = "cp.async.cg.shared.global" + (policy == null ? "" : ".L2::cache_hint");
    for (int round = from; round < to; round++) {
      Register part = partOf(round);
      Address target = at(placeInRound(round, tile.unitBytes(), tile.valueOffset), 0);
      Address source = at(values, round * k.how.threadsPerBlock() * tile.unitBytes());
      k.putIf(part, copy, target, source, 16, policy);
    }
  }

  /** A unit on its way: its threads, or null for all; its cells; their validity bytes, or null. */
  private record Unit(Register part, List<Register> values, Register bytes) {}

  private void copyThroughRegisters(Register values, Register validity, int from, int to) {
    List<Unit> loaded = new ArrayList<>();
    for (int round = from; round < to; round++) {
      int unitsBefore = round * k.how.threadsPerBlock();
      Register part = partOf(round);
      List<Register> registers = k.registers(k.math.registers(), k.unit);
      Register bytes = validity == null ? null : k.register(PtxType.B32);
      k.where(
          part,
          "noload",
          () -> {
            String opcode = "ld.global" + k.how.hints().load();
            k.load(opcode, registers, at(values, unitsBefore * tile.unitBytes()));
            if (validity != null) {
              k.put("ld.global.nc.u" + 8 * k.unit, bytes, at(validity, unitsBefore * k.unit));
            }
          });
      loaded.add(new Unit(part, registers, bytes));
    }
    for (int round = from; round < to; round++) {
      Unit unit = loaded.get(round - from);
      int number = round;
      k.where(
          unit.part,
          "nostore",
          () -> {
            List<Register> counts = unit.bytes == null ? null : k.unpack(unit.bytes);
            Register valueAt = placeInRound(number, tile.unitBytes(), tile.valueOffset);
            Register countAt =
                counts == null
                    ? null
                    : placeInRound(number, tile.countUnitBytes(), tile.countOffset);
            storeUnit(Cell.of(unit.values, counts), new Cell(valueAt, countAt));
          });
    }
  }

  /** Returns the shared address of this thread's unit in a round. */
  private Register placeInRound(int round, int unitBytes, int offset) {
    int threads = k.how.threadsPerBlock();
    Register unitIndex = round == 0 ? k.thread : k.b32("add.u32", k.thread, round * threads);
    return inSlot(k.sharedAddress(offset, tile.shape.placeOf(k, unitIndex), unitBytes));
  }

  private Register inSlot(Register address) {
    return slot == null ? address : k.b32("add.u32", address, slot);
  }

  private void storeUnit(List<Cell> cells, Cell address) {
    boolean counts = k.math.counts();
    List<Cell> stored = counts ? cells.stream().map(k.math::neutralised).toList() : cells;
    k.store("st.shared", at(address.value(), 0), Cell.values(stored));
    if (counts) {
      k.store("st.shared", at(address.count(), 0), Cell.counts(stored));
    }
  }

  /** Near the end of the staged cells: a loop that checks every cell. */
  private void writeCareful(Register firstCell) {
    Register unitIndex = k.b32("mov.u32", k.thread);
    Symbol again = k.label("unit");
    k.place(again);
    Register cell = k.b32("mad.lo.u32", unitIndex, k.unit, firstCell);
    Register valueAt = k.cellAt(cell);
    Register validityAt = k.validityAt(cell);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < k.unit; i++) {
      Register there = k.isStaged(cell, i);
      cells.add(k.math.newCell());
      k.loadWhere(there, cells.get(i), "ld.global.nc", valueAt, validityAt, i);
    }
    Cell place = tile.at(tile.shape.placeOf(k, unitIndex), 1);
    storeUnit(cells, new Cell(inSlot(place.value()), place.count()));
    k.put("add.u32", unitIndex, unitIndex, k.how.threadsPerBlock());
    Register more = k.test("setp.lt.u32", unitIndex, tile.shape.units());
    k.putIf(more, "bra", again);
  }
}
