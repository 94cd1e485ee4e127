/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.program.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Writes a {@link StepKernel}. A block computes a tile of cells; each thread goes down a column of
 * it, or along the only axis. Threads all of whose neighbours are in the field read them as they
 * are; the others look positions up.
 *
 * <p>Axes are numbered 0 to 2, slowest first; a program with fewer lacks the first.
 */
final class StepWriter {
  private static final String ENTRY = "step";

  /** Volta, CUDA 9.2: {@code activemask}. */
  private static final PtxTarget TARGET = new PtxTarget(70, 62);

  /** Cells that are loaded before the first operation, so that the operations are written once. */
  private static final int MOST_LOADED_BYTES = 256;

  private final StepKernel kernel;
  private final PtxWriter k = new PtxWriter();
  private final PtxType cell;
  private final int bytes;
  private final boolean line;
  private final Register job;
  private final Register tables;
  private final List<Register> sizes = new ArrayList<>();
  private final CellBody body;

  /** The cell that a thread computes, one position per axis. */
  private final List<Register> position = new ArrayList<>();

  /** The views of the sources, and after them those of the results. */
  private final List<View> views = new ArrayList<>();

  /**
   * The cell that a thread computes.
   *
   * @param position its position along each axis
   * @param views the sources, and after them the results
   * @param sizes the cells of the field along each axis
   * @param tables the address of the boundary tables
   */
  record Place(List<Register> position, List<View> views, List<Register> sizes, Register tables) {}

  /**
   * An array in registers.
   *
   * @param here the address of the thread's cell
   * @param low the first position that is read as it is, per axis; null for results
   * @param cells how many there are from there on, per axis; null for results
   */
  record View(
      Register origin,
      Register row,
      Register plane,
      Register here,
      List<Register> low,
      List<Register> cells) {}

  StepWriter(StepKernel kernel) {
    this.kernel = kernel;
    cell = PtxCells.registers(kernel.type());
    bytes = kernel.type().bytes();
    line = kernel.dimensions() == 1;
    Register jobs = argument("u64", "jobs", PtxType.B64);
    tables = argument("u64", "tables", PtxType.B64);
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      sizes.add(argument("u32", "size" + axis, PtxType.B32));
    }
    List<Operand> parameters = new ArrayList<>();
    for (int i = 0; i < kernel.traits().program().parameters().size(); i++) {
      parameters.add(argument(cell.declaration(), "value" + i, cell));
    }
    Register number = k.b32("mov.u32", Symbol.CTAID_Y);
    job = k.b64("mad.wide.u32", number, kernel.jobBytes(), jobs);
    body = new CellBody(k, kernel.traits().program(), kernel.type(), parameters);
  }

  private Register argument(String width, String name, PtxType type) {
    Register value = k.make(type, "ld.param." + width, at(k.parameter(width, name), 0));
    return width.equals("u64") ? k.b64("cvta.to.global.u64", value) : value;
  }

  GeneratedKernel generate() {
    Symbol end = k.label("end");
    Register step = place(end);
    loadViews();
    List<Register> steps = stepBytes(step);
    Map<Integer, Register> beside = new TreeMap<>();
    Register left = word(StepJob.DEPTH);
    int along = line ? 2 : 1;
    Register high = word(StepJob.HIGH + 4 * along);
    reached().stream().filter(axis -> axis != along).forEach(axis -> vote(axis, beside));
    Register at = position.get(along);

    Symbol again = k.label("again");
    k.place(again);
    k.putIf(k.test("setp.ge.s32", at, high), "bra", end);
    if (reached().contains(along)) {
      vote(along, beside);
    }
    computeCell(beside);
    k.put("add.s32", at, at, step);
    for (int i = 0; i < views.size(); i++) {
      k.put("add.s64", views.get(i).here(), views.get(i).here(), steps.get(i));
    }
    k.put("sub.s32", left, left, 1);
    k.putIf(k.test("setp.ne.s32", left, 0), "bra", again);
    k.place(end);
    k.put("ret");
    List<String> directives = List.of(".maxntid %d, 1, 1".formatted(StepJob.THREADS));
    String text = k.finish(TARGET, ENTRY, directives);
    return new GeneratedKernel(
        ENTRY, text, StepJob.THREADS, StepJob.THREADS, 0, 0, List.of(), null);
  }

  /** Returns the axes along which the stage reads neighbours. */
  private List<Integer> reached() {
    return IntStream.range(0, ArrayView.AXES)
        .filter(
            axis ->
                IntStream.range(0, kernel.sources().size())
                    .anyMatch(i -> kernel.before(i).get(axis) + kernel.after(i).get(axis) > 0))
        .boxed()
        .toList();
  }

  /**
   * Writes whether neighbours along an axis may be outside the field for a thread of the warp. A
   * warp whose threads differ takes the way that is right for all.
   */
  private void vote(int axis, Map<Integer, Register> beside) {
    Register at = position.get(axis);
    Register low = word(StepJob.SAFE_LOW + 4 * axis);
    Register high = word(StepJob.SAFE_HIGH + 4 * axis);
    Register safe = k.test("setp.ge.s32", at, low);
    safe = k.test("setp.lt.and.s32", at, high, safe);
    Register mine = k.test("not.pred", safe);
    // threads that have left the loop do not vote
    Register voters = k.b32("activemask.b32");
    beside.put(axis, k.test("vote.sync.any.pred", mine, voters));
  }

  /**
   * Writes the stage for one cell: a way without any look at the boundary, one for each axis along
   * which alone neighbours may be outside, and one for all others. Only the loads differ, unless
   * there are very many.
   */
  private void computeCell(Map<Integer, Register> beside) {
    boolean together = kernel.taps().size() * bytes <= MOST_LOADED_BYTES;
    Map<Node.Tap, Register> loaded = new LinkedHashMap<>();
    if (together) {
      kernel.taps().forEach(tap -> loaded.put(tap, k.register(cell)));
    }
    Symbol next = k.label("next");
    Map<Symbol, Set<Integer>> ways = new LinkedHashMap<>();
    if (!beside.isEmpty()) {
      branch(beside, together, ways);
    }
    way(Set.of(), loaded, together);
    ways.forEach(
        (label, axes) -> {
          k.put("bra", next);
          k.place(label);
          way(axes, loaded, together);
        });
    k.place(next);
    if (together) {
      compute(loaded::get);
    }
  }

  /** Writes where to go if neighbours may be outside the field, and adds these ways. */
  private void branch(
      Map<Integer, Register> beside, boolean together, Map<Symbol, Set<Integer>> ways) {
    Symbol many = k.label("outside");
    ways.put(many, beside.keySet());
    Register any = null;
    Register several = null;
    for (Register each : beside.values()) {
      Register both = any == null ? null : k.test("and.pred", any, each);
      several = several == null ? both : k.test("or.pred", several, both);
      any = any == null ? each : k.test("or.pred", any, each);
    }
    boolean single = together && beside.size() > 1;
    k.putIf(single ? several : any, "bra", many);
    if (single) {
      beside.forEach(
          (axis, outside) -> {
            Symbol only = k.label("outside");
            ways.put(only, Set.of(axis));
            k.putIf(outside, "bra", only);
          });
    }
  }

  /** Writes one way to load the neighbours, and to compute with them if that is not done later. */
  private void way(Set<Integer> beside, Map<Node.Tap, Register> loaded, boolean together) {
    Place place = new Place(position, views, sizes, tables);
    Neighbours neighbours = new Neighbours(k, kernel, place, beside);
    if (!together) {
      compute(
          tap -> {
            Register value = k.register(cell);
            neighbours.load(tap, value);
            return value;
          });
    } else {
      loaded.forEach(neighbours::load);
    }
  }

  private Register word(int offset) {
    return k.b32("ld.global.nc.u32", at(job, offset));
  }

  private Register longWord(int offset) {
    return k.b64("ld.global.nc.u64", at(job, offset));
  }

  /** Finds the thread's first cell; returns how far it goes from each cell to the next. */
  private Register place(Symbol end) {
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register tiles = word(StepJob.TILES);
    Register chunks = word(StepJob.CHUNKS);
    Register shift = word(StepJob.SHIFT);
    Register depth = word(StepJob.DEPTH);
    Register tile = k.b32("rem.u32", block, tiles);
    Register rest = k.b32("div.u32", block, tiles);
    Register chunk = k.b32("rem.u32", rest, chunks);
    Register plane = k.b32("div.u32", rest, chunks);
    position.add(k.b32("add.s32", word(StepJob.LOW), plane));
    k.putIf(k.test("setp.ge.s32", position.get(0), word(StepJob.HIGH)), "bra", end);
    Register rows = k.b32("shr.u32", k.b32("mov.u32", StepJob.THREADS), shift);
    Register lane = k.b32("bfe.u32", thread, 0, shift);
    Register row = k.b32("shr.u32", thread, shift);
    row = k.b32("mad.lo.s32", k.b32("mul.lo.s32", chunk, depth), rows, row);
    if (line) {
      lane = thread;
      tile = k.b32("mul.lo.s32", tile, depth);
    }
    position.add(k.b32("add.s32", word(StepJob.LOW + 4), row));
    Register first = k.b32("add.s32", k.b32("shl.b32", tile, shift), lane);
    position.add(k.b32("add.s32", word(StepJob.LOW + 8), first));
    k.putIf(k.test("setp.ge.s32", position.get(2), word(StepJob.HIGH + 8)), "bra", end);
    return line ? k.b32("mov.u32", StepJob.THREADS) : rows;
  }

  private void loadViews() {
    int offset = StepJob.HEADER_BYTES;
    for (int i = 0; i < kernel.sources().size(); i++) {
      List<Register> low = new ArrayList<>();
      List<Register> cells = new ArrayList<>();
      for (int axis = 0; axis < ArrayView.AXES; axis++) {
        low.add(word(offset + 24 + 4 * axis));
        cells.add(word(offset + 36 + 4 * axis));
      }
      views.add(view(offset, low, cells));
      offset += StepJob.SOURCE_BYTES;
    }
    for (int i = 0; i < kernel.results().size(); i++) {
      views.add(view(offset, null, null));
      offset += StepJob.RESULT_BYTES;
    }
  }

  private View view(int offset, List<Register> low, List<Register> cells) {
    Register origin = k.b64("cvta.to.global.u64", longWord(offset));
    Register row = longWord(offset + 8);
    Register plane = longWord(offset + 16);
    Register here = address(k, bytes, origin, row, plane, position);
    return new View(origin, row, plane, here, low, cells);
  }

  /** Returns the address of the cell at a position. */
  static Register address(
      PtxWriter k,
      int bytes,
      Register origin,
      Register row,
      Register plane,
      List<Register> position) {
    Register z = k.b64("cvt.s64.s32", position.get(0));
    Register y = k.b64("cvt.s64.s32", position.get(1));
    Register inPlane = k.b64("mad.lo.s64", z, plane, origin);
    Register inRow = k.b64("mad.lo.s64", y, row, inPlane);
    return k.b64("mad.wide.s32", position.get(2), bytes, inRow);
  }

  /** Returns the bytes from a cell of a thread to its next, per view. */
  private List<Register> stepBytes(Register step) {
    List<Register> steps = new ArrayList<>();
    for (View view : views) {
      steps.add(
          line
              ? k.b64("mul.wide.s32", step, bytes)
              : k.b64("mul.lo.s64", view.row(), k.b64("cvt.s64.s32", step)));
    }
    return steps;
  }

  /** Writes the operations of the stage and stores their results. */
  private void compute(Function<Node.Tap, Register> cells) {
    CellBody.Window window =
        new CellBody.Window() {
          @Override
          public Operand cell(Node.Tap tap) {
            return cells.apply(tap);
          }

          @Override
          public Operand position(int axis) {
            Register at = position.get(ArrayView.AXES - kernel.dimensions() + axis);
            String convert = "cvt.rn." + PtxCells.arithmetic(kernel.type()) + ".s32";
            return k.make(cell, convert, at);
          }
        };
    List<Operand> values = body.write(kernel.stage(), window);
    for (int i = 0; i < values.size(); i++) {
      Register value =
          values.get(i) instanceof Register register
              ? register
              : k.make(cell, "mov." + cell.declaration(), values.get(i));
      View to = views.get(kernel.sources().size() + i);
      k.put("st.global." + cell.declaration(), at(to.here(), 0), value);
    }
  }
}
