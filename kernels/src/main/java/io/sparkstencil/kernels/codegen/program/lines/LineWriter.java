/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.lines;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.codegen.program.CellBody;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Writes the text of a {@link LineStream}. */
final class LineWriter {
  /** Operations for one lane in a turn of the loop, about which the loop has the most. */
  private static final int OPERATIONS_OF_TURN = 768;

  private static final String SHARED = "cellsOfWarps";

  private final PtxWriter k = new PtxWriter();
  private final LineStream kernel;
  private final Levels levels;
  private final PtxType cellType;
  private final int cells;
  private final List<CellBody> bodies = new ArrayList<>();
  private Register lane;

  /** The position of this lane's first cell. */
  private Register x;

  LineWriter(LineStream kernel) {
    this.kernel = kernel;
    levels = kernel.levels();
    cellType = PtxCells.registers(kernel.type());
    cells = kernel.shape().cells();
  }

  /**
   * Returns the text. The arguments after the addresses are: the first result and the last one,
   * exclusive; the tiles; the parameters of each step.
   */
  String write(String entry) {
    List<Symbol> inputs =
        kernel.inputs().stream().map(field -> k.parameter("u64", "in" + field)).toList();
    List<Symbol> outputs =
        kernel.outputs().stream().map(field -> k.parameter("u64", "out" + field)).toList();
    Symbol end = k.label("end");
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, 31);
    // taken from one lane, so that the assembler knows that all lanes go the same way
    Register warp =
        WarpShuffle.read(k, WarpShuffle.Mode.INDEX, k.b32("shr.u32", thread, 5), 0, null);
    Register tile = tile(warp, end);
    readParameters();
    k.declare(".extern .shared .align 16 .b8 " + SHARED + "[]");
    Register base = k.b32("mov.u32", new Symbol(SHARED));
    Register shared = k.b32("mad.lo.s32", warp, kernel.sharedBytesOfWarp(), base);
    LaneTile memory = new LaneTile(k, kernel, shared, lane);
    x = k.b32("mad.lo.s32", lane, cells, tile);

    Map<Variable, List<Register>> state = new LinkedHashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      state.put(levels.live(0).get(i), memory.read(address(inputs.get(i), tile)));
    }
    Map<Variable, List<Register>> results = kernel.moves() ? loop(state) : straight(state);
    Register first = k.b32("add.s32", tile, kernel.marginBefore() - kernel.firstResult());
    for (int i = 0; i < outputs.size(); i++) {
      Variable output = levels.live(levels.count()).get(i);
      memory.write(address(outputs.get(i), first), results.get(output));
    }
    k.place(end);
    k.put("ret");
    // asked for one block at least, the assembler spills no register to make room for more
    return k.finish(
        PtxTarget.VOLTA,
        entry,
        List.of(".maxntid %d, 1, 1".formatted(32 * kernel.shape().warps()), ".minnctapersm 1"));
  }

  /** Returns the first cell of the tile of this warp; warps that have none go to the end. */
  private Register tile(Register warp, Symbol end) {
    Register first = number("first");
    Register last = number("last");
    Register tiles = number("tiles");
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register tile = k.b32("mad.lo.s32", block, kernel.shape().warps(), warp);
    k.putIf(k.test("setp.ge.s32", tile, tiles), "bra", end);
    // the last tile is moved back so that it ends with the results: some are computed twice
    Register latest = k.b32("sub.s32", last, kernel.validCells());
    Register begin = k.b32("mad.lo.s32", tile, kernel.validCells(), first);
    k.put("min.s32", begin, begin, latest);
    return k.b32("sub.s32", begin, kernel.marginBefore());
  }

  private Register number(String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }

  private void readParameters() {
    String type = cellType.declaration();
    for (int step = 0; step < kernel.steps(); step++) {
      List<Operand> parameters = new ArrayList<>();
      for (int p = 0; p < kernel.traits().program().parameters().size(); p++) {
        Symbol name = k.parameter(type, "p%d_%d".formatted(step, p));
        parameters.add(k.make(cellType, "ld.param." + type, Address.at(name, 0)));
      }
      // without parameters all steps are alike
      bodies.add(
          parameters.isEmpty() && step > 0
              ? bodies.get(0)
              : new CellBody(k, kernel.traits().program(), kernel.type(), parameters));
    }
  }

  /** Returns where this lane's first chunk of a tile is. */
  private Register address(Symbol field, Register tile) {
    Register base = k.b64("ld.param.b64", Address.at(field, 0));
    k.put("cvta.to.global.u64", base, base);
    Register address = k.b64("mad.wide.s32", tile, kernel.type().bytes(), base);
    return k.b64("mad.wide.s32", lane, LineStream.CHUNK_BYTES, address);
  }

  private Map<Variable, List<Register>> straight(Map<Variable, List<Register>> first) {
    Map<Variable, List<Register>> state = first;
    for (int level = 0; level < levels.count(); level++) {
      state = level(level, state, 0);
    }
    return state;
  }

  /** Writes a loop of steps that are alike, each of one level. */
  private Map<Variable, List<Register>> loop(Map<Variable, List<Register>> first) {
    int perStep = Math.max(1, kernel.traits().operations() * cells);
    int most = Math.max(1, OPERATIONS_OF_TURN / perStep);
    int unrolled =
        IntStream.rangeClosed(1, kernel.steps())
            .filter(u -> kernel.steps() % u == 0 && u <= most)
            .max()
            .orElse(1);
    int shift = levels.low(0, 0);
    Register steps = k.b32("mov.u32", kernel.steps());
    Map<Variable, List<Register>> carried = copy(first);
    Symbol loop = k.label("steps");
    k.place(loop);
    Map<Variable, List<Register>> state = carried;
    for (int turn = 0; turn < unrolled; turn++) {
      Map<Variable, List<Register>> next = new LinkedHashMap<>();
      level(levels.count() - 1, state, shift)
          .forEach((result, made) -> next.put(new Variable(result.field(), false), made));
      state = next;
      k.put("add.s32", x, x, shift);
    }
    Map<Variable, List<Register>> results = state;
    carried.forEach((variable, registers) -> copyTo(registers, results.get(variable)));
    k.put("sub.s32", steps, steps, unrolled);
    k.putIf(k.test("setp.gt.s32", steps, 0), "bra", loop);
    Map<Variable, List<Register>> done = new LinkedHashMap<>();
    results.forEach(
        (variable, made) ->
            done.put(new Variable(variable.field(), true), carried.getOrDefault(variable, made)));
    return done;
  }

  private Map<Variable, List<Register>> copy(Map<Variable, List<Register>> state) {
    Map<Variable, List<Register>> copies = new LinkedHashMap<>();
    state.forEach(
        (variable, registers) -> {
          List<Register> copy = k.registers(cellType, cells);
          copyTo(copy, registers);
          copies.put(variable, copy);
        });
    return copies;
  }

  private void copyTo(List<Register> targets, List<Register> sources) {
    for (int c = 0; c < cells; c++) {
      k.put("mov." + cellType.declaration(), targets.get(c), sources.get(c));
    }
  }

  /**
   * Computes a level and returns the variables that reach the next one.
   *
   * @param shift cells by which results are in front of the cells that are read
   */
  private Map<Variable, List<Register>> level(
      int level, Map<Variable, List<Register>> state, int shift) {
    Stage stage = levels.stage(level);
    Map<Variable, Map<Integer, Register>> read = fringes(stage, state, shift);
    List<List<Register>> made = new ArrayList<>();
    stage.updates().forEach(update -> made.add(new ArrayList<>()));
    for (int c = 0; c < cells; c++) {
      List<Operand> values =
          bodies.get(levels.step(level)).write(stage, new Window(read, c, shift));
      for (int i = 0; i < values.size(); i++) {
        made.get(i).add(k.make(cellType, "mov." + cellType.declaration(), values.get(i)));
      }
    }
    Map<Variable, List<Register>> next = new LinkedHashMap<>();
    for (int i = 0; i < made.size(); i++) {
      Variable result = new Variable(stage.updates().get(i).field(), true);
      next.put(levels.next(level, result), made.get(i));
    }
    for (Variable variable : levels.carried(level)) {
      next.put(levels.next(level, variable), state.get(variable));
    }
    return next;
  }

  /** The cells around one of this lane. */
  private final class Window implements CellBody.Window {
    private final Map<Variable, Map<Integer, Register>> read;
    private final int cell;
    private final int shift;

    Window(Map<Variable, Map<Integer, Register>> read, int cell, int shift) {
      this.read = read;
      this.cell = cell;
      this.shift = shift;
    }

    @Override
    public Operand cell(Node.Tap tap) {
      Variable variable = new Variable(tap.field(), tap.updated());
      return read.get(variable).get(cell + shift + tap.offset().get(0));
    }

    @Override
    public Operand position(int axis) {
      Register position = k.b32("add.s32", x, cell + shift);
      return k.make(cellType, "cvt.rn." + PtxCells.arithmetic(kernel.type()) + ".s32", position);
    }
  }

  /** Returns the cells of each variable that a stage reads, those of other lanes among them. */
  private Map<Variable, Map<Integer, Register>> fringes(
      Stage stage, Map<Variable, List<Register>> state, int shift) {
    Map<Variable, Map<Integer, Register>> read = new HashMap<>();
    for (int node : stage.order()) {
      if (kernel.traits().program().nodes().get(node) instanceof Node.Tap tap) {
        Variable variable = new Variable(tap.field(), tap.updated());
        Map<Integer, Register> columns = read.computeIfAbsent(variable, v -> new HashMap<>());
        for (int c = 0; c < cells; c++) {
          int column = c + shift + tap.offset().get(0);
          columns.computeIfAbsent(column, absent -> cell(state.get(variable), column));
        }
      }
    }
    return read;
  }

  /** Returns the cell in a column, counted from this lane's first one. */
  private Register cell(List<Register> own, int column) {
    Register there = own.get(Math.floorMod(column, cells));
    int lanes = Math.floorDiv(column, cells);
    if (lanes == 0) {
      return there;
    }
    WarpShuffle.Mode mode = lanes > 0 ? WarpShuffle.Mode.DOWN : WarpShuffle.Mode.UP;
    return WarpShuffle.read(k, mode, there, Math.abs(lanes), null);
  }
}
