/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.codegen.program.CellBody;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the text of a {@link RowTile}. */
final class RowWriter {
  private static final String SHARED = "rowsOfBlock";

  private final PtxWriter k = new PtxWriter();
  private final RowTile tile;
  private final Levels levels;
  private final int warps;
  private final List<List<Symbol>> parameters = new ArrayList<>();
  private List<Symbol> inputs;
  private List<Symbol> outputs;
  private RowPart part;
  private Register lane;
  private Register shared;

  RowWriter(RowTile tile) {
    this.tile = tile;
    levels = tile.levels();
    warps = tile.shape().warps();
  }

  /**
   * Returns the text. The arguments after the addresses are those of {@link RowParts} and the
   * parameters of each step.
   */
  String write(String entry) {
    inputs = tile.inputs().stream().map(field -> k.parameter("u64", "in" + field)).toList();
    outputs = tile.outputs().stream().map(field -> k.parameter("u64", "out" + field)).toList();
    Symbol end = k.label("end");
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, 31);
    part = RowParts.find(k, tile);
    declareParameters();
    if (warps > 1 || tile.relayAt(warps) > 0) {
      k.declare(".extern .shared .align 16 .b8 " + SHARED + "[]");
      shared = k.b32("mov.u32", new Symbol(SHARED));
    }
    // taken from one lane, so that the assembler knows that all lanes go the same way
    Register warp =
        WarpShuffle.read(k, WarpShuffle.Mode.INDEX, k.b32("shr.u32", thread, 5), 0, null);
    for (int w = 0; w < warps; w++) {
      boolean shared = tile.sharesCode() && w == 1;
      writeWarp(w, shared ? warps - 1 : w + 1, warp, end);
      w = shared ? warps - 2 : w;
    }
    k.place(end);
    k.put("ret");
    // asked for one block at least, the assembler spills no register to make room for more
    return k.finish(
        tile.copiesAhead() ? PtxTarget.AMPERE : PtxTarget.VOLTA,
        entry,
        List.of(".maxntid %d, 1, 1".formatted(32 * warps), ".minnctapersm 1"));
  }

  /**
   * Writes what some warps do.
   *
   * @param first the first of them
   * @param behind the warp behind the last of them
   * @param warp the number of a thread's own
   */
  private void writeWarp(int first, int behind, Register warp, Symbol end) {
    boolean one = behind == first + 1;
    Register mine = null;
    if (behind < warps) {
      mine = k.test(one ? "setp.eq.s32" : "setp.lt.s32", warp, one ? first : behind);
    }
    Register further = one ? null : k.b32("sub.s32", warp, first);
    k.where(
        mine,
        "warp",
        () -> {
          loop(first, further);
          k.put("bra.uni", end);
        });
  }

  private void declareParameters() {
    String type = PtxCells.registers(tile.type()).declaration();
    int count = tile.traits().program().parameters().size();
    for (int step = 0; step < tile.steps(); step++) {
      List<Symbol> names = new ArrayList<>();
      for (int p = 0; p < count; p++) {
        names.add(k.parameter(type, "p%d_%d".formatted(step, p)));
      }
      parameters.add(names);
    }
  }

  private CellBody body(int step) {
    PtxType type = PtxCells.registers(tile.type());
    List<Operand> values = new ArrayList<>();
    for (Symbol name : parameters.get(step)) {
      values.add(k.make(type, "ld.param." + type.declaration(), Address.at(name, 0)));
    }
    return new CellBody(k, tile.traits().program(), tile.type(), values);
  }

  /**
   * Writes what one warp does. A warp begins with its first row when the one before begins with the
   * rows of its second turn; all end together.
   *
   * @param further by how many warps later the thread's own is, if instructions are shared; else
   *     null
   */
  private void loop(int warp, Register further) {
    int first = tile.firstLevel(warp);
    int end = tile.firstLevel(warp + 1);
    boolean last = warp == warps - 1;
    Map<Integer, CellBody> bodies = new HashMap<>();
    for (int step = levels.step(first); step <= levels.step(end - 1); step++) {
      bodies.put(step, body(step));
    }
    Register loading = k.b32("sub.s32", part.row(), levels.before(0));
    Register leaving = k.b32("sub.s32", loading, tile.lag() + warp * tile.slots());
    Register stop = k.b32("add.s32", part.stop(), (warps - 1 - warp) * tile.slots());
    Register x = k.b32("mad.lo.s32", lane, tile.shape().cells(), part.column());
    RowBoundary boundary = tile.ends().columns() ? boundary() : null;
    RowLevels computed = new RowLevels(k, tile, bodies::get, x, leaving, boundary);
    TileRows source =
        warp == 0 ? fromMemory(loading) : new RowRelay(k, tile, warp, true, shared, lane, further);
    RowRelay relay = last ? null : new RowRelay(k, tile, warp + 1, false, shared, lane, further);
    RowResults results = last ? results(leaving) : null;
    Register number = k.b32("sub.s32", leaving, part.row());
    Register rows = k.b32("sub.s32", part.stop(), part.row());

    source.begin();
    int before = k.place();
    Symbol loop = k.label("rows");
    k.place(loop);
    if (warps > 1) {
      k.put("bar.sync", 0);
    }
    Stream.of(source, relay).filter(s -> s != null).forEach(TileRows::turn);
    for (int u = 0; u < tile.slots(); u++) {
      int turn = u;
      source.next((variable, c) -> computed.arrived(first, variable, turn, c));
      computed.row(first, end, turn);
      if (last) {
        results.write(number, rows, (output, c) -> computed.arrived(end, output, turn, c));
      } else {
        relay.give((variable, c) -> computed.arrived(end, variable, turn, c));
      }
      k.put("add.s32", leaving, leaving, 1);
      k.put("add.s32", number, number, 1);
    }
    Stream.of(source, relay).filter(s -> s != null).forEach(TileRows::turned);
    k.putIf(k.test("setp.lt.s32", leaving, stop), "bra", loop);
    k.insert(before, computed::clear);
  }

  private TileRows fromMemory(Register row) {
    if (inputs.isEmpty()) {
      return nothing -> {};
    }
    Register end = k.b32("add.s32", part.stop(), levels.after(0));
    boolean ahead = tile.copiesAhead();
    int bytes = ahead ? RowTile.CHUNK_BYTES : tile.shape().cells() * tile.type().bytes();
    List<Register> from = addresses(inputs, row, bytes);
    return ahead
        ? new RowRing(k, tile, from, part.stride(), row, end, shared, lane)
        : new RowRegisters(k, tile, from, part.stride(), row, end);
  }

  private RowResults results(Register leaving) {
    Register staging = tile.staggersResults() ? k.b32("add.s32", shared, tile.ringBytes()) : null;
    List<Register> to = addresses(outputs, leaving, RowTile.CHUNK_BYTES);
    List<Register> valid = valid();
    Register partial = null;
    if (tile.ends().columns() && tile.ends().padding() > 0) {
      partial = k.test("setp.eq.and.s32", lane, 31, part.right());
      int last = valid.size() - 1;
      Register whole = k.test("not.pred", partial);
      valid.set(last, k.test("and.pred", valid.get(last), whole));
    }
    return new RowResults(k, tile, to, part.stride(), valid, partial, staging, lane);
  }

  /** Returns what holds the boundary. */
  private RowBoundary boundary() {
    Register leftmost = k.test("setp.eq.and.s32", lane, 0, part.left());
    Register rightmost = k.test("setp.eq.and.s32", lane, 31, part.right());
    return new RowBoundary(k, tile, leftmost, rightmost);
  }

  /** Returns for each chunk of a lane, in the order of memory, whether it holds results. */
  private List<Register> valid() {
    int chunk = tile.chunk();
    int before = tile.marginBefore() / chunk;
    Object valid = tile.validColumns() / chunk;
    Register missing = null;
    if (tile.ends().columns()) {
      // margins are results where there is nothing beside them
      missing = k.b32("selp.b32", 0, before, part.left());
      int behind = tile.columns() / chunk;
      int last = behind - tile.marginAfter() / chunk;
      Register end = k.b32("selp.b32", behind, last, part.right());
      valid = k.b32("sub.s32", end, missing);
    }
    List<Register> tests = new ArrayList<>();
    for (int at = 0; at < tile.columns(); at += 32 * chunk) {
      Register number =
          missing == null
              ? k.b32("add.s32", lane, at / chunk - before)
              : k.b32("sub.s32", k.b32("add.s32", lane, at / chunk), missing);
      tests.add(k.test("setp.lt.u32", number, valid));
    }
    return tests;
  }

  /** Returns where lanes, {@code bytes} apart, begin to read or write a row of the tile. */
  private List<Register> addresses(List<Symbol> fields, Register row, int bytes) {
    Register wideRow = k.b64("cvt.s64.s32", row);
    Register distance = k.b64("mul.lo.s64", wideRow, part.stride());
    Register column = k.b64("mul.wide.s32", part.column(), tile.type().bytes());
    k.put("add.s64", distance, distance, column);
    k.put("add.s64", distance, distance, k.b64("mul.wide.s32", lane, bytes));
    List<Register> addresses = new ArrayList<>();
    for (Symbol field : fields) {
      Register base = k.b64("ld.param.b64", Address.at(field, 0));
      k.put("cvta.to.global.u64", base, base);
      addresses.add(k.b64("add.s64", base, distance));
    }
    return addresses;
  }
}
