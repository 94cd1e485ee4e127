/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Ring;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies planes of the inputs into their rings, ahead of their use. Each thread copies its own
 * cells; warps share the rows above and below the tile, and lanes the columns beside it.
 */
final class PlaneCopies {
  private record Extra(int above, int below, int rowBytes) {}

  /** A row beside the tile that a warp copies, relative to its first row. */
  private record ExtraRow(Register exists, Register there, Register here) {}

  private final PtxWriter k;
  private final PlaneMemory memory;
  private final PlaneShape shape;
  private final PlaneFrame frame;
  private final Map<Integer, Register> from = new HashMap<>();
  private final Map<Integer, Register> to = new HashMap<>();
  private final Map<Extra, List<ExtraRow>> extraRows = new HashMap<>();

  /** Whether this lane copies a chunk beside the tile, and how far that is, by left and right. */
  private final Map<Integer, Register> beside = new HashMap<>();

  private final Map<Integer, Register> besideHere = new HashMap<>();
  private final Map<Integer, Register> besideThere = new HashMap<>();

  PlaneCopies(PtxWriter k, PlaneMemory memory, PlaneShape shape, PlaneFrame frame) {
    this.k = k;
    this.memory = memory;
    this.shape = shape;
    this.frame = frame;
  }

  /**
   * Writes where copies start.
   *
   * @param addresses the arrays, by field
   * @param first the first plane that arrives, relative to the results
   */
  void start(Map<Integer, Symbol> addresses, PlaneRows rows, int first) {
    for (Ring ring : memory.rings().values()) {
      int field = ring.field();
      from.put(field, frame.address(addresses.get(field), first - ring.first()));
      to.put(field, k.b32("mov.u32", rows.ringStart(field)));
      Extra extra = new Extra(ring.above(), ring.below(), ring.rowBytes());
      extraRows.computeIfAbsent(extra, this::extraRows);
      if (ring.left() + ring.right() > 0) {
        beside.computeIfAbsent(ring.left() * 64 + ring.right(), sides -> addBeside(ring, sides));
      }
    }
  }

  private Register addBeside(Ring ring, int sides) {
    int left = ring.left() * PlaneMemory.CHUNK;
    Register isLeft = k.test("setp.lt.s32", frame.lane, ring.left());
    Register here = k.b32("selp.b32", -left, PlaneMemory.CHUNKS - left, isLeft);
    besideHere.put(sides, here);
    besideThere.put(sides, k.b64("cvt.s64.s32", here));
    return k.test("setp.lt.s32", frame.lane, ring.left() + ring.right());
  }

  private List<ExtraRow> extraRows(Extra extra) {
    List<ExtraRow> made = new ArrayList<>();
    int count = extra.above() + extra.below();
    for (int first = 0; first < count; first += shape.warps()) {
      Register index = k.b32("add.s32", frame.warp, first);
      Register exists = k.test("setp.lt.s32", index, count);
      // in the ring's planes: rows above, the tile, rows below
      Register isAbove = k.test("setp.lt.s32", index, extra.above());
      Register below = k.b32("add.s32", index, shape.tileRows());
      Register row = k.b32("selp.b32", index, below, isAbove);
      k.put("sub.s32", row, row, extra.above());
      k.put("mad.lo.s32", row, frame.warp, -shape.rows(), row);
      Register rows64 = k.b64("cvt.s64.s32", row);
      made.add(
          new ExtraRow(
              exists,
              k.b64("mul.lo.s64", rows64, frame.rowStride),
              k.b32("mul.lo.s32", row, extra.rowBytes())));
    }
    return made;
  }

  /**
   * Copies the plane that arrives {@code ahead} planes after the next one.
   *
   * @param arrived planes from the first one of results to the next one to arrive, a register
   * @param ahead planes after that
   */
  void copy(Register arrived, int ahead, int before, Register range) {
    for (Ring ring : memory.rings().values()) {
      int field = ring.field();
      Register plane = k.b32("add.s32", arrived, ahead - ring.first() + before);
      Register inside = k.test("setp.lt.u32", plane, range);
      Register there = k.b64("mov.b64", from.get(field));
      for (int row = 0; row < shape.rows(); row++) {
        copyRow(ring, inside, to.get(field), row * ring.rowBytes(), there);
        if (row + 1 < shape.rows()) {
          k.put("add.s64", there, there, frame.rowStride);
        }
      }
      Extra extra = new Extra(ring.above(), ring.below(), ring.rowBytes());
      for (ExtraRow row : extraRows.get(extra)) {
        Register both = k.test("and.pred", inside, row.exists());
        Register here = k.b32("add.s32", to.get(field), row.here());
        Register from64 = k.b64("add.s64", from.get(field), row.there());
        copyRow(ring, both, here, 0, from64);
      }
      k.put("add.s64", from.get(field), from.get(field), frame.planeStride);
    }
    k.put("cp.async.commit_group");
  }

  /** Moves on to the next slot. */
  void advance(PlaneRows rows) {
    memory.rings().values().forEach(ring -> rows.advance(ring, to.get(ring.field())));
  }

  private void copyRow(Ring ring, Register where, Register to, int at, Register from) {
    int chunks = memory.rowBytes() / PlaneMemory.CHUNKS;
    for (int c = 0; c < chunks; c++) {
      Address target = Address.at(to, at + c * PlaneMemory.CHUNKS);
      copy(where, target, Address.at(from, c * PlaneMemory.CHUNK));
    }
    int sides = ring.left() * 64 + ring.right();
    if (sides > 0) {
      Register both = k.test("and.pred", where, beside.get(sides));
      Register here = k.b32("add.s32", to, besideHere.get(sides));
      Register there = k.b64("add.s64", from, besideThere.get(sides));
      copy(both, Address.at(here, at), Address.at(there, 0));
    }
  }

  private void copy(Register where, Address to, Address from) {
    k.putIf(where, "cp.async.cg.shared.global", to, from, PlaneMemory.CHUNK);
  }
}
