/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.CELL_BYTES;
import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.HALF_BYTES;
import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.PLACE_COLUMNS;
import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.PLACE_ROWS;
import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.WARP_COLUMNS;

import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;

/** Writes the text of a {@link BoxTile}. */
final class BoxWriter {
  private static final String SHARED = "rowsOfBlock";

  /**
   * Results of a pair of rows that a lane has: two neighbours in each half of its warp's columns.
   */
  private static final int HELD = 4;

  private static final int DEPTH = BoxTile.SHAPE.depth();

  private final PtxWriter k = new PtxWriter();
  private final BoxTile tile;
  private final BoxWeights weights;

  /** The sums of the pairs of results that are under way. */
  private final List<List<Register>> sums = new ArrayList<>();

  private Register lane;

  /** The number of the pair of rows that arrives next. */
  private Register number;

  /** Where the next pair is, and where the ring starts. */
  private Register reading;

  private Register ring;

  /** From the start of a pair to a lane's cells of products in one row, and in two. */
  private Register oneRow;

  private Register twoRows;

  /** From the start of a pair to the cells above a lane's results, in the first column. */
  private Register own;

  /** Where the next pair of results goes in memory. */
  private Register target;

  private Symbol stride;

  /** For each pair that arrived, a bit that says whether all its cells are 0.0; the last is 1. */
  private Register zeros;

  BoxWriter(BoxTile tile) {
    this.tile = tile;
    weights = new BoxWeights(k, tile);
  }

  /** Returns the text. The arguments after the addresses are those of {@link BoxStream#launch}. */
  String write(String entry) {
    Symbol input = k.parameter("u64", "in");
    Symbol output = k.parameter("u64", "out");
    k.declare(".extern .shared .align 16 .b8 " + SHARED + "[]");
    weights.declare();
    ring = k.b32("mov.u32", new Symbol(SHARED));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, 31);
    Register warp =
        WarpShuffle.read(k, WarpShuffle.Mode.INDEX, k.b32("shr.u32", thread, 5), 0, null);
    stride = k.parameter("u32", "stride");
    Register column = place(Symbol.CTAID_X, BoxTile.COLUMNS, number("column"), number("last"));
    Register firstRow = number("row");
    Register lastRow = number("lastRow");
    Register results = number("pairs");
    Register rows = k.b32("mul.lo.s32", results, PLACE_ROWS);
    Register segment = k.b32("mov.u32", Symbol.CTAID_Y);
    Register row = k.b32("mad.lo.s32", segment, rows, firstRow);
    k.put("min.s32", row, row, lastRow);
    BoxAhead copies = new BoxAhead(k, tile, ring, thread, address(input, row, column), stride);
    copies.begin();
    locate(warp);
    locateResults(address(output, row, column), warp);
    weights.load(lane, warp, k.b32("add.s32", ring, tile.ringBytes()));
    for (int pair = 0; pair < tile.pairs(); pair++) {
      sums.add(k.registers(PtxType.F64, HELD));
    }
    sums.forEach(held -> held.forEach(sum -> k.put("mov.f64", sum, Literal.f64(0))));
    // one more than is read: the last results leave when the next pair would arrive
    Register left = k.b32("add.s32", results, tile.radius() + 1);
    Symbol again = k.label("rows");
    k.place(again);
    for (int turn = 0; turn < tile.pairs(); turn++) {
      if (turn % tile.pairsOfTurn() == 0) {
        copies.turn(left);
      }
      int now = turn;
      k.where(k.test("setp.gt.s32", left, 0), "idle", () -> pair(now));
      k.put("add.s32", number, number, 1);
      k.put("sub.s32", left, left, 1);
    }
    k.putIf(k.test("setp.gt.s32", left, 0), "bra", again);
    k.put("ret");
    return k.finish(
        BoxTile.SHAPE.target(),
        entry,
        List.of(
            ".maxntid %d, 1, 1".formatted(tile.threads()),
            ".minnctapersm " + BoxTile.RESIDENT_BLOCKS));
  }

  private Register number(String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }

  private Register place(Symbol block, int distance, Register first, Register last) {
    Register place = k.b32("mad.lo.s32", k.b32("mov.u32", block), distance, first);
    k.put("min.s32", place, place, last);
    return place;
  }

  private Register address(Symbol field, Register row, Register column) {
    Register base = k.b64("ld.param.b64", Address.at(field, 0));
    k.put("cvta.to.global.u64", base, base);
    Register bytes = k.b32("ld.param.b32", Address.at(stride, 0));
    Register distance = k.b64("mul.wide.s32", row, bytes);
    k.put("add.s64", distance, distance, k.b64("mul.wide.s32", column, CELL_BYTES));
    return k.b64("add.s64", base, distance);
  }

  /** Writes where a warp finds its cells. */
  private void locate(Register warp) {
    number = k.b32("mov.u32", 0);
    zeros = k.b32("mov.u32", 0);
    reading = k.b32("mov.u32", ring);
    Register columns = k.b32("mul.lo.s32", warp, WARP_COLUMNS);
    Register group = k.b32("shr.u32", lane, 2);
    Register inGroup = k.b32("and.b32", lane, 3);
    Register cell = k.b32("mad.lo.s32", group, PLACE_COLUMNS, columns);
    Register read = k.b32("add.s32", cell, inGroup);
    oneRow = k.b32("mul.lo.s32", read, CELL_BYTES);
    int across = tile.placeCells() % DEPTH;
    twoRows =
        across == 0
            ? oneRow
            : k.b32(
                "add.s32",
                oneRow,
                k.b32(
                    "selp.s32",
                    0,
                    tile.rowBytes() - tile.placeCells() * CELL_BYTES,
                    k.test("setp.lt.s32", inGroup, across)));
    Register result = k.b32("and.b32", inGroup, 1);
    Register ownColumn = k.b32("mad.lo.s32", result, 2, cell);
    own = k.b32("mul.lo.s32", ownColumn, CELL_BYTES);
    Register lower = k.b32("shr.u32", inGroup, 1);
    k.put("mad.lo.s32", own, lower, tile.rowBytes(), own);
  }

  private void locateResults(Register origin, Register warp) {
    Register group = k.b32("shr.u32", lane, 2);
    Register inGroup = k.b32("and.b32", lane, 3);
    Register column = k.b32("mul.lo.s32", warp, WARP_COLUMNS);
    k.put("mad.lo.s32", column, group, PLACE_COLUMNS, column);
    k.put("mad.lo.s32", column, k.b32("and.b32", inGroup, 1), 2, column);
    Register bytes = k.b32("ld.param.b32", Address.at(stride, 0));
    target = k.b64("mad.wide.s32", k.b32("shr.u32", inGroup, 1), bytes, origin);
    k.put("mad.wide.s32", target, column, CELL_BYTES, target);
  }

  /**
   * Writes what happens when a pair of rows arrives. The results that the pair before completed
   * leave meanwhile: between two products of a warp there is time for many other instructions, if
   * no branch is in between.
   */
  private void pair(int turn) {
    List<Register> done = new ArrayList<>();
    for (Register sum : sums.get(turn)) {
      done.add(k.make(PtxType.F64, "mov.f64", sum));
    }
    begin(turn);
    Register one = k.b32("add.s32", reading, oneRow);
    Register two = k.b32("add.s32", reading, twoRows);
    Register enough = k.test("setp.gt.s32", number, tile.radius());
    Register bits = null;
    Register doubtful = null;
    for (int product = 0; product < tile.products(); product++) {
      List<Register> cells = cells(product, one, two);
      for (Register cell : cells) {
        Register wide = k.b64("mov.b64", cell);
        bits = bits == null ? wide : k.b64("or.b64", bits, wide);
      }
      multiply(turn, product, cells);
      if (product == 0) {
        doubtful = k.test("and.pred", doubtful(done), enough);
        write(done, k.test("and.pred", enough, k.test("not.pred", doubtful)));
      }
    }
    watchZeros(bits);
    k.where(
        k.test("vote.sync.any.pred", doubtful, 0xFFFFFFFFL),
        "sound",
        () -> {
          new BoxRepair(k, tile, reading, ring, own, lane).write(done);
          write(done, enough);
        });
    Register bytes = k.b32("ld.param.b32", Address.at(stride, 0));
    k.putIf(enough, "mad.wide.s32", target, bytes, PLACE_ROWS, target);
    BoxRings.advance(k, tile, reading, ring);
  }

  private void multiply(int turn, int product, List<Register> cells) {
    for (int phase = tile.radius(); phase >= 0; phase--) {
      RegisterVector sum = new RegisterVector(sums.get(Math.floorMod(turn - phase, tile.pairs())));
      k.put(
          BoxTile.SHAPE.instruction(),
          sum,
          new RegisterVector(cells),
          new RegisterVector(List.of(weights.of(phase, product))),
          sum);
    }
  }

  /** Begins the sums of the pair of results whose first rows arrive. */
  private void begin(int turn) {
    List<Register> held = sums.get(turn);
    int column = tile.box().first().column();
    Register at = k.b32("add.s32", reading, own);
    Literal weight = Literal.f64(tile.box().first().weight());
    for (int i = 0; i < HELD; i += 2) {
      List<Register> cells = k.registers(PtxType.F64, 2);
      int offset = column * CELL_BYTES + i / 2 * HALF_BYTES;
      load(cells, at, offset);
      k.put("mul.rn.f64", held.get(i), cells.get(0), weight);
      k.put("mul.rn.f64", held.get(i + 1), cells.get(1), weight);
    }
  }

  /** Loads neighbouring cells, the first of which is in an even column if the offset is. */
  private void load(List<Register> cells, Register at, int offset) {
    if (offset % BoxTile.CHUNK_BYTES == 0) {
      k.load("ld.shared", cells, Address.at(at, offset));
    } else {
      for (int i = 0; i < cells.size(); i++) {
        k.put("ld.shared.f64", cells.get(i), Address.at(at, offset + i * CELL_BYTES));
      }
    }
  }

  /** Loads the cells of a product: those of the upper and of the lower half of the matrix. */
  private List<Register> cells(int product, Register oneRow, Register twoRows) {
    int first = product * DEPTH;
    boolean lower = first >= tile.placeCells();
    boolean both = !lower && first + DEPTH > tile.placeCells();
    int offset = first * CELL_BYTES;
    if (lower) {
      offset += tile.rowBytes() - tile.placeCells() * CELL_BYTES;
    }
    Register at = both ? twoRows : oneRow;
    return List.of(
        k.make(PtxType.F64, "ld.shared.f64", Address.at(at, offset)),
        k.make(PtxType.F64, "ld.shared.f64", Address.at(at, offset + HALF_BYTES)));
  }

  private void watchZeros(Register bits) {
    Register none = k.test("setp.eq.u64", bits, 0);
    Register all = k.test("vote.sync.all.pred", none, 0xFFFFFFFFL);
    k.put("shl.b32", zeros, zeros, 1);
    k.put("add.s32", zeros, zeros, k.b32("selp.s32", 1, 0, all));
  }

  /**
   * Returns whether one of some results may have other bits than those of the chain: weights of 0.0
   * make NaN of cells that are not finite, and 0.0 of a sum that is -0.0.
   */
  private Register doubtful(List<Register> results) {
    Register any = null;
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i < 2; i++) {
        Register wide = k.b64("mov.b64", results.get(2 * half + i));
        Register high = k.b32("cvt.u32.u64", k.b64("shr.u64", wide, 32));
        Register size = k.b32("and.b32", high, 0x7FFFFFFF);
        Register before = k.b32("sub.u32", size, 1);
        Register one = k.test("setp.ge.u32", before, 0x7FEFFFFF);
        any = any == null ? one : k.test("or.pred", any, one);
      }
    }
    if (tile.box().turnsZerosNegative()) {
      return any;
    }
    int all = (1 << tile.pairs()) - 1;
    Register recent = k.b32("and.b32", zeros, all);
    return k.test("setp.ne.and.u32", recent, all, any);
  }

  /** Writes results to memory. */
  private void write(List<Register> results, Register wanted) {
    for (int half = 0; half < 2; half++) {
      int offset = half * HALF_BYTES;
      List<Register> neighbours = results.subList(2 * half, 2 * half + 2);
      if (tile.radius() % 2 == 0) {
        k.putIf(
            wanted, "st.global.v2.f64", Address.at(target, offset), new RegisterVector(neighbours));
      } else {
        k.putIf(wanted, "st.global.f64", Address.at(target, offset), neighbours.get(0));
        Address next = Address.at(target, offset + CELL_BYTES);
        k.putIf(wanted, "st.global.f64", next, neighbours.get(1));
      }
    }
  }
}
