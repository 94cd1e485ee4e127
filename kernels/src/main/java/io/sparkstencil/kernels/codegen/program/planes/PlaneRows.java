/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Edges;
import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Ring;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds the cells that a thread reads: its own in registers or in the ring that it fills, those of
 * neighbouring lanes by shuffles, those of other warps in shared memory.
 */
final class PlaneRows implements PlaneCells {
  private record Row(Source source, int age, int row) {}

  private record Chunk(Row row, int chunk) {}

  private record Shuffled(Row row, int column) {}

  private final PtxWriter k;
  private final PlaneTile tile;
  private final PlaneFrame frame;
  private final PlanePlan plan;
  private final PlaneMemory memory;
  private final PlaneShape shape;
  private final PlaneValues values;
  private final ElementType type;
  private final int chunkCells;

  /** Where this thread's first row is in the ring's planes, by field and age. */
  private final Map<Integer, List<Register>> rings = new HashMap<>();

  private final Map<Integer, List<Register>> ringEnds = new HashMap<>();

  /** Where this warp's edges are, by the rows that a warp writes and the age. */
  private final Map<Integer, List<Register>> edges = new HashMap<>();

  private final Map<Row, List<Register>> rows = new HashMap<>();
  private final Map<Chunk, List<Register>> chunks = new HashMap<>();
  private final Map<Shuffled, Register> shuffled = new HashMap<>();

  PlaneRows(PtxWriter k, PlaneTile tile, PlaneValues values, PlaneFrame frame) {
    this.k = k;
    this.tile = tile;
    this.values = values;
    this.frame = frame;
    plan = tile.plan();
    memory = tile.memory();
    shape = tile.shape();
    type = tile.type();
    chunkCells = PlaneMemory.CHUNK / type.bytes();
  }

  /** Writes where things are before the first plane. */
  void start(Register shared) {
    Register lane = frame.lane;
    Register warp = frame.warp;
    Register laneStart = k.b32("mad.lo.s32", lane, PlaneMemory.CHUNK, shared);
    for (Ring ring : memory.rings().values()) {
      int offset = ring.offset() + ring.above() * ring.rowBytes() + ring.left() * PlaneMemory.CHUNK;
      Register first = k.b32("mad.lo.s32", warp, shape.rows() * ring.rowBytes(), laneStart);
      k.put("add.s32", first, first, offset);
      Register end = k.b32("add.s32", first, ring.depth() * ring.slotBytes());
      List<Register> slots = new ArrayList<>();
      for (int i = 0; i <= ring.last() - ring.first(); i++) {
        int slot = Math.floorMod(-i, ring.depth());
        slots.add(k.b32("add.s32", first, slot * ring.slotBytes()));
      }
      rings.put(ring.field(), slots);
      ringEnds.put(ring.field(), List.of(first, end));
    }
    for (Edges edge : memory.edges().values()) {
      edges.computeIfAbsent(
          edge.rows(),
          rowsOfWarp -> {
            Register first = k.b32("mad.lo.s32", warp, rowsOfWarp * memory.rowBytes(), laneStart);
            List<Register> slots = new ArrayList<>();
            for (int slot = 0; slot < memory.edgeSlots(); slot++) {
              int offset = memory.edgeStart() + slot * memory.edgeBytes();
              slots.add(k.b32("add.s32", first, offset));
            }
            return slots;
          });
    }
  }

  /** Returns a register with the place of the ring's first slot. */
  Register ringStart(int field) {
    return ringEnds.get(field).get(0);
  }

  /** Moves a place in a ring to the next slot. */
  void advance(Ring ring, Register slot) {
    List<Register> ends = ringEnds.get(ring.field());
    k.put("add.s32", slot, slot, ring.slotBytes());
    Register over = k.test("setp.ge.s32", slot, ends.get(1));
    k.put("selp.b32", slot, ends.get(0), slot, over);
  }

  @Override
  public void startPhase() {
    rows.clear();
    chunks.clear();
    shuffled.clear();
  }

  /** Ends a turn: the next plane arrives. */
  void endTurn() {
    for (Ring ring : memory.rings().values()) {
      List<Register> slots = rings.get(ring.field());
      for (int i = slots.size() - 1; i > 0; i--) {
        k.put("mov.b32", slots.get(i), slots.get(i - 1));
      }
      advance(ring, slots.get(0));
    }
    for (List<Register> slots : edges.values()) {
      Register oldest = k.b32("mov.b32", slots.get(slots.size() - 1));
      for (int i = slots.size() - 1; i > 0; i--) {
        k.put("mov.b32", slots.get(i), slots.get(i - 1));
      }
      k.put("mov.b32", slots.get(0), oldest);
    }
  }

  /**
   * Reads a row of the inputs that stay in registers; of those that came a plane ago, all rows
   * before the first one, as rows beside it are read with it.
   */
  void arrive(int row) {
    for (Ring ring : memory.rings().values()) {
      boolean isThere = ring.first() < ring.arrives();
      if (ring.held() && !isThere) {
        arrive(ring, row);
      } else if (ring.held() && row == 0) {
        IntStream.range(0, shape.rows()).forEach(each -> arrive(ring, each));
      }
    }
  }

  private void arrive(Ring ring, int row) {
    PlaneValues.Kept kept = PlaneValues.Kept.of(new Source(PlanePlan.INPUT, ring.field()));
    List<Register> targets = new ArrayList<>();
    for (int c = 0; c < shape.cells(); c++) {
      targets.add(values.register(kept, ring.arrives(), row, c));
    }
    load(targets, ring, ring.arrives(), row);
  }

  /**
   * Writes the rows of the planes that have just arrived for other warps. Where the boundary is
   * held, the first and the last warp also write the rows outside, of which they have the values.
   */
  void share() {
    memory
        .edges()
        .forEach(
            (source, edge) -> {
              for (int row = 0; row < shape.rows(); row++) {
                if (edge.index(row, shape.rows()) >= 0) {
                  share(null, edge, row, row(source, 0, row));
                }
              }
              if (tile.ends().rows()) {
                shareOutside(source, edge, false, edge.low());
                shareOutside(source, edge, true, edge.high());
              }
            });
  }

  private void shareOutside(Source source, Edges edge, boolean below, int most) {
    int end = below ? shape.rows() - 1 : 0;
    int down = below ? 1 : -1;
    for (int distance = 1; distance <= most; distance++) {
      OptionalInt from = tile.ends().source(source.field(), PlaneTile.ROWS, below, distance);
      List<Register> cells;
      if (from.isPresent()) {
        cells = row(source, 0, end - down * from.getAsInt());
      } else {
        double constant = tile.ends().rule(source.field(), PlaneTile.ROWS, below).constant();
        cells = Collections.nCopies(shape.cells(), constant(constant));
      }
      share(below ? frame.lowest : frame.topmost, edge, end + down * distance, cells);
    }
  }

  private Register constant(double value) {
    PtxType cell = PtxCells.registers(type);
    return k.make(cell, "mov." + cell.declaration(), PtxCells.literal(type, value));
  }

  /**
   * Writes a row for other warps.
   *
   * @param where whether to write it; null for always
   * @param row counted from this warp's first
   */
  private void share(Register where, Edges edge, int row, List<Register> cells) {
    Register slot = edges.get(edge.rows()).get(0);
    for (int c = 0; c < shape.cells(); c += chunkCells) {
      Address to = Address.at(slot, at(edge, row) + c / chunkCells * PlaneMemory.CHUNKS);
      String opcode =
          "st.shared.v%d.%s".formatted(chunkCells, PtxCells.registers(type).declaration());
      k.putIf(where, opcode, to, new RegisterVector(cells.subList(c, c + chunkCells)));
    }
  }

  /** Returns where a row is, counted from this warp's first, behind the warp's place in a slot. */
  private int at(Edges edge, int row) {
    int index = edge.index(Math.floorMod(row, shape.rows()), shape.rows());
    int warps = Math.floorDiv(row, shape.rows());
    return edge.offset() + (warps * edge.rows() + index) * memory.rowBytes();
  }

  @Override
  public Register cell(Source source, int age, int row, int column) {
    Row from = new Row(source, age, row);
    if (column >= 0 && column < shape.cells()) {
      return row(source, age, row).get(column);
    }
    if (source.isInput() && memory.widens()) {
      Chunk chunk = new Chunk(from, Math.floorDiv(column, chunkCells));
      return chunks.computeIfAbsent(chunk, this::load).get(Math.floorMod(column, chunkCells));
    }
    Register cached = shuffled.get(new Shuffled(from, column));
    if (cached == null) {
      Register own = row(source, age, row).get(Math.floorMod(column, shape.cells()));
      int lanes = Math.floorDiv(column, shape.cells());
      WarpShuffle.Mode mode = lanes > 0 ? WarpShuffle.Mode.DOWN : WarpShuffle.Mode.UP;
      cached = WarpShuffle.read(k, mode, own, Math.abs(lanes), null);
      shuffled.put(new Shuffled(from, column), cached);
    }
    return cached;
  }

  private List<Register> load(Chunk chunk) {
    Ring ring = memory.rings().get(chunk.row().source().field());
    List<Register> targets = k.registers(PtxCells.registers(type), chunkCells);
    Register slot = rings.get(ring.field()).get(chunk.row().age() - ring.first());
    int at = chunk.row().row() * ring.rowBytes() + chunk.chunk() * PlaneMemory.CHUNK;
    k.load("ld.shared", targets, Address.at(slot, at));
    return targets;
  }

  private List<Register> row(Source source, int age, int row) {
    return rows.computeIfAbsent(new Row(source, age, row), this::read);
  }

  private List<Register> read(Row row) {
    Source source = row.source();
    PlaneValues.Kept kept = PlaneValues.Kept.of(source);
    if (row.row() >= 0 && row.row() < shape.rows() && values.keeps(kept)) {
      List<Register> own = new ArrayList<>();
      for (int c = 0; c < shape.cells(); c++) {
        own.add(values.register(kept, plan.lag(source) + row.age(), row.row(), c));
      }
      return own;
    }
    List<Register> targets = k.registers(PtxCells.registers(type), shape.cells());
    if (source.isInput()) {
      load(targets, memory.rings().get(source.field()), row.age(), row.row());
    } else {
      Edges edge = memory.edges(source);
      load(targets, edges.get(edge.rows()).get(row.age()), at(edge, row.row()));
    }
    return targets;
  }

  private void load(List<Register> targets, Ring ring, int age, int row) {
    load(targets, rings.get(ring.field()).get(age - ring.first()), row * ring.rowBytes());
  }

  private void load(List<Register> targets, Register slot, int at) {
    for (int c = 0; c < targets.size(); c += chunkCells) {
      k.load(
          "ld.shared",
          targets.subList(c, c + chunkCells),
          Address.at(slot, at + c / chunkCells * PlaneMemory.CHUNKS));
    }
  }
}
