/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Ring;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.model.Boundary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Copies planes of the inputs into their rings, ahead of their use. Each thread copies its own
 * cells; warps share the rows above and below the tile, and lanes the columns beside it. Where the
 * boundary is held, rows outside are copied from those that have their values.
 */
final class PlaneCopies {
  /** Rows beside the tile that fields have in common, with the rules for them if they are held. */
  private record Extra(int above, int below, int rowBytes, Boundary low, Boundary high) {}

  /** A row beside the tile that a warp copies, relative to its first row. */
  private record ExtraRow(Register exists, Register there, Register here) {}

  private final PtxWriter k;
  private final PlaneTile tile;
  private final PlaneMemory memory;
  private final PlaneShape shape;
  private final PlaneFrame frame;
  private final boolean holds;
  private final Map<Integer, Register> from = new HashMap<>();
  private final Map<Integer, Register> to = new HashMap<>();
  private final Map<Extra, List<ExtraRow>> extraRows = new HashMap<>();

  /** Whether this lane copies a chunk beside the tile, and how far that is, by left and right. */
  private final Map<Integer, Register> beside = new HashMap<>();

  private final Map<Integer, Register> besideHere = new HashMap<>();
  private final Map<Integer, Register> besideThere = new HashMap<>();

  /**
   * Prepares writing.
   *
   * @param holds whether the tile may be at an end of the rows, beside which there is nothing to
   *     copy
   */
  PlaneCopies(PtxWriter k, PlaneTile tile, PlaneFrame frame, boolean holds) {
    this.k = k;
    this.tile = tile;
    this.frame = frame;
    this.holds = holds;
    memory = tile.memory();
    shape = tile.shape();
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
      if (ring.left() + ring.right() > 0) {
        beside.computeIfAbsent(ring.left() * 64 + ring.right(), sides -> addBeside(ring, sides));
      }
      extraRows.computeIfAbsent(extra(ring), extra -> extraRows(extra, field));
      if (tile.ends().rows()) {
        fillConstants(ring);
      }
    }
    if (tile.ends().rows()) {
      // warps may read the first planes, which are of no use yet, before others have copied them
      k.put("bar.sync", 0);
    }
  }

  private Extra extra(Ring ring) {
    boolean rows = tile.ends().rows();
    Boundary low = rows ? tile.ends().rule(ring.field(), PlaneTile.ROWS, false) : null;
    Boundary high = rows ? tile.ends().rule(ring.field(), PlaneTile.ROWS, true) : null;
    return new Extra(ring.above(), ring.below(), ring.rowBytes(), low, high);
  }

  private Register addBeside(Ring ring, int sides) {
    int left = ring.left() * PlaneMemory.CHUNK;
    Register isLeft = k.test("setp.lt.s32", frame.lane, ring.left());
    Register here = k.b32("selp.b32", -left, PlaneMemory.CHUNKS - left, isLeft);
    besideHere.put(sides, here);
    besideThere.put(sides, k.b64("cvt.s64.s32", here));
    Register copies = k.test("setp.lt.s32", frame.lane, ring.left() + ring.right());
    if (!holds) {
      return copies;
    }
    Register before = k.test("and.pred", isLeft, frame.left);
    Register isRight = k.test("not.pred", isLeft);
    Register behind = k.test("and.pred", isRight, frame.right);
    return k.test("and.pred", copies, k.test("not.pred", k.test("or.pred", before, behind)));
  }

  private List<ExtraRow> extraRows(Extra extra, int field) {
    List<ExtraRow> made = new ArrayList<>();
    int count = extra.above() + extra.below();
    for (int first = 0; first < count; first += shape.warps()) {
      Register index = k.b32("add.s32", frame.warp, first);
      Register exists = k.test("setp.lt.s32", index, count);
      // in the ring's planes: rows above, the tile, rows below
      Register isAbove = k.test("setp.lt.s32", index, extra.above());
      Register below = k.b32("add.s32", index, shape.tileRows());
      Register here = k.b32("selp.b32", index, below, isAbove);
      k.put("sub.s32", here, here, extra.above());
      Register there = k.b32("mov.b32", here);
      if (tile.ends().rows()) {
        exists = redirect(extra, field, index, there, exists);
      }
      k.put("mad.lo.s32", here, frame.warp, -shape.rows(), here);
      k.put("mad.lo.s32", there, frame.warp, -shape.rows(), there);
      Register there64 = k.b64("cvt.s64.s32", there);
      made.add(
          new ExtraRow(
              exists,
              k.b64("mul.lo.s64", there64, frame.rowStride),
              k.b32("mul.lo.s32", here, extra.rowBytes())));
    }
    return made;
  }

  /**
   * Takes rows outside from where their values are.
   *
   * @param there the row of the tile that is copied
   * @return whether it is copied: rows with a constant are not
   */
  private Register redirect(
      Extra extra, int field, Register index, Register there, Register exists) {
    Register copies = exists;
    for (int number = 0; number < extra.above() + extra.below(); number++) {
      boolean below = number >= extra.above();
      Register outside = outside(extra, number, index);
      OptionalInt source = source(extra, field, number);
      if (source.isPresent()) {
        int row = below ? shape.tileRows() - 1 - source.getAsInt() : source.getAsInt();
        k.putIf(outside, "mov.b32", there, row);
      } else {
        copies = k.test("and.pred", copies, k.test("not.pred", outside));
      }
    }
    return copies;
  }

  /** Returns whether a row, of the given number in the ring's planes but the tile's, is outside. */
  private Register outside(Extra extra, int number, Register index) {
    Register tileAtEnd = number < extra.above() ? frame.top : frame.bottom;
    return k.test("setp.eq.and.s32", index, number, tileAtEnd);
  }

  private OptionalInt source(Extra extra, int field, int number) {
    boolean below = number >= extra.above();
    int distance = below ? number - extra.above() + 1 : extra.above() - number;
    return tile.ends().source(field, PlaneTile.ROWS, below, distance);
  }

  /**
   * Fills rows outside that have a constant, once in all planes of a ring: no copy changes them.
   */
  private void fillConstants(Ring ring) {
    Extra extra = extra(ring);
    int chunk = PlaneMemory.CHUNK / tile.type().bytes();
    PtxType cell = PtxCells.registers(tile.type());
    for (int number = 0; number < extra.above() + extra.below(); number++) {
      if (source(extra, ring.field(), number).isEmpty()) {
        boolean below = number >= extra.above();
        double constant = (below ? extra.high() : extra.low()).constant();
        Register value =
            k.make(cell, "mov." + cell.declaration(), PtxCells.literal(tile.type(), constant));
        RegisterVector cells = new RegisterVector(Collections.nCopies(chunk, value));
        int first = number / shape.warps() * shape.warps();
        Register outside = outside(extra, number, k.b32("add.s32", frame.warp, first));
        Register row = extraRows.get(extra).get(number / shape.warps()).here();
        Register at = k.b32("add.s32", to.get(ring.field()), row);
        fill(ring, outside, at, "st.shared.v%d.%s".formatted(chunk, cell.declaration()), cells);
      }
    }
  }

  private void fill(Ring ring, Register where, Register at, String opcode, RegisterVector cells) {
    int sides = ring.left() * 64 + ring.right();
    for (int slot = 0; slot < ring.depth(); slot++) {
      for (int c = 0; c < memory.rowBytes() / PlaneMemory.CHUNKS; c++) {
        int offset = slot * ring.slotBytes() + c * PlaneMemory.CHUNKS;
        k.putIf(where, opcode, Address.at(at, offset), cells);
      }
      if (sides > 0) {
        // also where there is nothing to copy: the lanes at the ends do not read it
        Register lanes = k.test("setp.lt.and.s32", frame.lane, ring.left() + ring.right(), where);
        Register side = k.b32("add.s32", at, besideHere.get(sides));
        k.putIf(lanes, opcode, Address.at(side, slot * ring.slotBytes()), cells);
      }
    }
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
      for (ExtraRow row : extraRows.get(extra(ring))) {
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
