/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.CellType;
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

/** Writes the text of a {@link RowStream}. */
final class RowWriter {
  private static final String SHARED = "rowsOfBlock";

  /** What a block computes, as registers: the first column of its tile, its rows of results. */
  private record Part(Register stride, Register column, Register row, Register stop) {}

  private final PtxWriter k = new PtxWriter();
  private final RowStream kernel;
  private final Levels levels;
  private final int warps;
  private final List<List<Symbol>> parameters = new ArrayList<>();
  private List<Symbol> inputs;
  private List<Symbol> outputs;
  private Part part;
  private Register lane;
  private Register shared;

  RowWriter(RowStream kernel) {
    this.kernel = kernel;
    levels = kernel.levels();
    warps = kernel.shape().warps();
  }

  /**
   * Returns the text. The arguments after the addresses are: bytes between rows; the first column
   * and the last one, exclusive, of results; the first row and the last one; the rows of a segment;
   * the tiles of a row; the parameters of each step.
   */
  String write(String entry) {
    inputs = kernel.inputs().stream().map(field -> k.parameter("u64", "in" + field)).toList();
    outputs = kernel.outputs().stream().map(field -> k.parameter("u64", "out" + field)).toList();
    Symbol end = k.label("end");
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, 31);
    part = part();
    declareParameters();
    if (kernel.relayAt(warps) > 0) {
      k.declare(".extern .shared .align 16 .b8 " + SHARED + "[]");
      shared = k.b32("mov.u32", new Symbol(SHARED));
    }
    // taken from one lane, so that the assembler knows that all lanes go the same way
    Register warp =
        WarpShuffle.read(k, WarpShuffle.Mode.INDEX, k.b32("shr.u32", thread, 5), 0, null);
    for (int w = 0; w < warps; w++) {
      int number = w;
      Register other = w < warps - 1 ? k.test("setp.eq.s32", warp, w) : null;
      k.where(
          other,
          "warp",
          () -> {
            loop(number);
            k.put("bra.uni", end);
          });
    }
    k.place(end);
    k.put("ret");
    // asked for one block at least, the assembler spills no register to make room for more
    return k.finish(
        kernel.copiesAhead() ? PtxTarget.AMPERE : PtxTarget.VOLTA,
        entry,
        List.of(".maxntid %d, 1, 1".formatted(32 * warps), ".minnctapersm 1"));
  }

  /** Finds the part of this block. */
  private Part part() {
    Register stride = number("stride");
    Register firstColumn = number("firstColumn");
    Register lastColumn = number("lastColumn");
    Register firstRow = number("firstRow");
    Register lastRow = number("lastRow");
    Register rows = number("rows");
    Register tiles = number("tiles");
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register segment = k.b32("div.u32", block, tiles);
    Register tile = k.b32("rem.u32", block, tiles);
    // the last tile is moved back so that it ends with the results: some are computed twice
    Register column = k.b32("mad.lo.s32", tile, kernel.validColumns(), firstColumn);
    Register latest = k.b32("sub.s32", lastColumn, kernel.validColumns());
    k.put("min.s32", column, column, latest);
    k.put("sub.s32", column, column, kernel.marginBefore());
    Register row = k.b32("mad.lo.s32", segment, rows, firstRow);
    Register stop = k.b32("add.s32", row, rows);
    k.put("min.s32", stop, stop, lastRow);
    return new Part(k.b64("cvt.s64.s32", stride), column, row, stop);
  }

  private Register number(String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }

  private void declareParameters() {
    String type = CellType.registers(kernel.type()).declaration();
    int count = kernel.traits().program().parameters().size();
    for (int step = 0; step < kernel.steps(); step++) {
      List<Symbol> names = new ArrayList<>();
      for (int p = 0; p < count; p++) {
        names.add(k.parameter(type, "p%d_%d".formatted(step, p)));
      }
      parameters.add(names);
    }
  }

  private CellBody body(int step) {
    PtxType type = CellType.registers(kernel.type());
    List<Operand> values = new ArrayList<>();
    for (Symbol name : parameters.get(step)) {
      values.add(k.make(type, "ld.param." + type.declaration(), Address.at(name, 0)));
    }
    return new CellBody(k, kernel.traits().program(), kernel.type(), values);
  }

  /**
   * Writes what one warp does. A warp begins with its first row when the one before begins with the
   * rows of its second turn; all end together.
   */
  private void loop(int warp) {
    int first = kernel.firstLevel(warp);
    int end = kernel.firstLevel(warp + 1);
    boolean last = warp == warps - 1;
    Map<Integer, CellBody> bodies = new HashMap<>();
    for (int step = levels.step(first); step <= levels.step(end - 1); step++) {
      bodies.put(step, body(step));
    }
    Register loading = k.b32("sub.s32", part.row, levels.before(0));
    Register leaving = k.b32("sub.s32", loading, kernel.lag() + warp * kernel.slots());
    Register stop = k.b32("add.s32", part.stop, (warps - 1 - warp) * kernel.slots());
    Register x = k.b32("mad.lo.s32", lane, kernel.shape().cells(), part.column);
    RowLevels computed = new RowLevels(k, kernel, bodies::get, x, leaving);
    RowSource source =
        warp == 0 ? fromMemory(loading) : new RowRelay(k, kernel, warp, true, shared, lane);
    RowRelay relay = last ? null : new RowRelay(k, kernel, warp + 1, false, shared, lane);
    RowResults results = last ? results(leaving) : null;
    Register number = k.b32("sub.s32", leaving, part.row);
    Register rows = k.b32("sub.s32", part.stop, part.row);

    source.begin();
    int before = k.place();
    Symbol loop = k.label("rows");
    k.place(loop);
    if (warps > 1) {
      k.put("bar.sync", 0);
    }
    Stream.of(source, relay).filter(s -> s != null).forEach(RowSource::turn);
    for (int u = 0; u < kernel.slots(); u++) {
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
    Stream.of(source, relay).filter(s -> s != null).forEach(RowSource::turned);
    k.putIf(k.test("setp.lt.s32", leaving, stop), "bra", loop);
    k.insert(before, computed::clear);
  }

  private RowSource fromMemory(Register row) {
    Register end = k.b32("add.s32", part.stop, levels.after(0));
    boolean ahead = kernel.copiesAhead();
    int bytes = ahead ? RowStream.CHUNK_BYTES : kernel.shape().cells() * kernel.type().bytes();
    List<Register> from = addresses(inputs, row, bytes);
    return ahead
        ? new RowRing(k, kernel, from, part.stride, row, end, shared, lane)
        : new RowRegisters(k, kernel, from, part.stride, row, end);
  }

  private RowResults results(Register leaving) {
    Register staging =
        kernel.staggersResults() ? k.b32("add.s32", shared, kernel.ringBytes()) : null;
    List<Register> to = addresses(outputs, leaving, RowStream.CHUNK_BYTES);
    return new RowResults(k, kernel, to, part.stride, staging, lane);
  }

  /** Returns where lanes, {@code bytes} apart, begin to read or write a row of the tile. */
  private List<Register> addresses(List<Symbol> fields, Register row, int bytes) {
    Register wideRow = k.b64("cvt.s64.s32", row);
    Register distance = k.b64("mul.lo.s64", wideRow, part.stride);
    Register column = k.b64("mul.wide.s32", part.column, kernel.type().bytes());
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
