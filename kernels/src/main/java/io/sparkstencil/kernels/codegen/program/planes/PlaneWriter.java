/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.CellBody;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.codegen.program.planes.PlaneValues.Kept;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes the kernel of a {@link PlaneStream}. Used once. */
final class PlaneWriter {
  /**
   * Types for which tiles at no end of the rows have a way of their own, which knows nothing of
   * columns outside. Two ways need twice the room in the caches of instructions; for short cells
   * that costs more than it saves. Measured on an H200 with two ways and with one, in billions of
   * cells and steps per second: seven points F64 642, 631, F32 1478, 1506; 27 points F64 342, 328,
   * F32 660, 673.
   */
  private static final Set<ElementType> HAVE_WAYS_OF_THEIR_OWN = EnumSet.of(ElementType.F64);

  private record Position(int level, int node, int age, int row, int column) {}

  private final PtxWriter k = new PtxWriter();
  private final PlanePlan plan;
  private final StencilProgram program;
  private final PlaneShape shape;
  private final PlaneMemory memory;
  private final PlaneMargins margins;
  private final ElementType type;
  private final PtxType registers;
  private final PlaneTile tile;
  private final List<List<Symbol>> parameters = new ArrayList<>();
  private final Map<Integer, Symbol> inputs = new LinkedHashMap<>();
  private final Map<Integer, Symbol> outputs = new LinkedHashMap<>();
  private final Map<Integer, Register> to = new HashMap<>();
  private final Map<Position, Operand> positions = new HashMap<>();
  private final List<CellBody> bodies = new ArrayList<>();
  private PlaneFrame frame;
  private PlaneValues values;
  private PlaneRows rows;
  private PlaneCells read;
  private PlaneCopies copies;

  /** Planes from the first one of the block's results to the one that arrives. */
  private Register arrived;

  private PlaneResults results;
  private PlaneBarrier barrier;

  PlaneWriter(PlaneTile tile) {
    this.tile = tile;
    plan = tile.plan();
    shape = tile.shape();
    memory = tile.memory();
    margins = tile.margins();
    type = tile.type();
    program = plan.program();
    registers = PtxCells.registers(type);
  }

  GeneratedKernel write() {
    plan.inputs().forEach(field -> inputs.put(field, k.parameter("u64", "in" + field)));
    plan.outputs().forEach((f, source) -> outputs.put(f, k.parameter("u64", "out" + f)));
    Symbol end = k.label("end");
    frame = new PlaneFrame(k, tile, type.bytes(), end);
    declareParameters();
    k.declare(".extern .shared .align 16 .b8 tile[]");
    barrier = new PlaneBarrier(k, tile, frame);
    boolean columns = tile.ends().columns();
    boolean twoWays = columns && HAVE_WAYS_OF_THEIR_OWN.contains(type);
    if (twoWays) {
      k.where(
          k.test("or.pred", frame.left, frame.right),
          "ends",
          () -> {
            block(true);
            k.put("bra.uni", end);
          });
    }
    block(columns && !twoWays);
    k.place(end);
    k.put("ret");
    // one block is enough: else assemblers spill to make place for more
    List<String> directives =
        List.of(".maxntid %d, 1, 1".formatted(shape.threads()), ".minnctapersm 1");
    String text = k.finish(PlaneBarrier.target(shape), "planes", directives);
    return new GeneratedKernel(
        "planes", text, shape.threads(), 1, 0, memory.bytes(), List.of(), null);
  }

  /**
   * Writes what a block does.
   *
   * @param holds whether its tile may be at an end of the rows, where the boundary is held
   */
  private void block(boolean holds) {
    makeBodies();
    to.clear();
    values = new PlaneValues(k, plan, memory, shape, type);
    rows = new PlaneRows(k, tile, values, frame);
    rows.start(k.b32("mov.u32", new Symbol("tile")));
    read = holds ? new PlaneBoundary(k, rows, tile, frame) : rows;
    copies = new PlaneCopies(k, tile, frame, holds);
    results = new PlaneResults(k, tile, frame, holds);
    int first = -firstArrival();
    copies.start(inputs, rows, first);
    outputs.forEach((field, out) -> to.put(field, frame.address(out, first - age(field))));
    arrived = k.b32("mov.u32", first);
    Register range = k.b32("add.s32", frame.planes, margins.before() + margins.after());
    for (int i = 0; i < shape.ahead(); i++) {
      copies.copy(arrived, i, margins.before(), range);
      copies.advance(rows);
    }
    stream(range);
  }

  /** Returns the planes before the results with which a block starts. */
  private int firstArrival() {
    int lead = memory.rings().values().stream().mapToInt(ring -> -ring.first()).max().orElse(0);
    return margins.before() + Math.max(0, lead);
  }

  private void declareParameters() {
    for (int step = 0; step < shape.steps(); step++) {
      List<Symbol> names = new ArrayList<>();
      for (int p = 0; p < program.parameters().size(); p++) {
        names.add(k.parameter(registers.declaration(), "p%d_%d".formatted(step, p)));
      }
      parameters.add(names);
    }
  }

  private void makeBodies() {
    bodies.clear();
    for (List<Symbol> names : parameters) {
      List<Operand> numbers = new ArrayList<>();
      for (Symbol name : names) {
        numbers.add(k.make(registers, "ld.param." + registers.declaration(), Address.at(name, 0)));
      }
      bodies.add(new CellBody(k, program, type, numbers));
    }
  }

  private void stream(Register range) {
    int before = k.place();
    Symbol again = k.label("planes");
    k.place(again);
    for (int turn = 0; turn < values.turns(); turn++) {
      values.startTurn(turn);
      k.put("cp.async.wait_group", shape.ahead() - 1);
      computeArrived();
      rows.share();
      barrier.arrive();
      startPhase();
      computeShared(true);
      barrier.await();
      copies.copy(arrived, shape.ahead(), margins.before(), range);
      copies.advance(rows);
      computeShared(false);
      k.put("add.s32", arrived, arrived, 1);
      to.values().forEach(out -> k.put("add.s64", out, out, frame.planeStride));
      rows.endTurn();
      values.endTurn();
    }
    Register left = k.b32("sub.s32", arrived, frame.planes);
    k.putIf(k.test("setp.lt.s32", left, plan.longestLag()), "bra", again);
    k.insert(before, values::clear);
  }

  private void startPhase() {
    read.startPhase();
    positions.clear();
  }

  /**
   * Computes what can be before the barrier. No level reads a row of the plane that has just
   * arrived but the one that it computes: each row goes through all levels before the next.
   */
  private void computeArrived() {
    startPhase();
    for (int row = 0; row < shape.rows(); row++) {
      rows.arrive(row);
      for (Level level : plan.levels()) {
        compute(level, 0, row);
      }
    }
  }

  /**
   * Computes what can be behind the barrier, where levels do not depend on each other.
   *
   * @param early whether this is what can be as soon as the warp itself has arrived
   */
  private void computeShared(boolean early) {
    for (Level level : plan.levels()) {
      for (int row = 0; row < shape.rows(); row++) {
        if (early == (shape.overlaps() && tile.hasAllFor(level, row))) {
          compute(level, 1, row);
        }
      }
    }
  }

  private void compute(Level level, int phase, int row) {
    List<Integer> operations =
        level.times().operations().stream()
            .filter(operation -> Math.floorMod(level.times().time(operation), 2) == phase)
            .toList();
    List<PlaneCell> cells = new ArrayList<>();
    for (int column = 0; column < shape.cells(); column++) {
      cells.add(new PlaneCell(level, row, column));
    }
    if (values.turns() > 1) {
      // cell beside cell, so that operations that follow one another do not wait
      operations.forEach(operation -> cells.forEach(cell -> cell.apply(operation)));
    } else {
      // cell by cell: there are few registers left
      cells.forEach(cell -> operations.forEach(cell::apply));
    }
    for (Update update : level.stage().updates()) {
      if (Math.floorMod(level.times().resultTime(update), 2) == phase) {
        leave(level, update, row, cells.stream().map(cell -> cell.finish(update)).toList());
      }
    }
  }

  /** One cell of a thread at a level, in one phase. */
  private final class PlaneCell {
    private final Level level;
    private final int row;
    private final int column;
    private final Map<Integer, Operand> made = new HashMap<>();

    PlaneCell(Level level, int row, int column) {
      this.level = level;
      this.row = row;
      this.column = column;
    }

    void apply(int operation) {
      int time = level.times().time(operation);
      Node.Apply apply = (Node.Apply) program.nodes().get(operation);
      Operand value = body().apply(apply, node -> value(node, time));
      made.put(operation, value);
      Kept kept = new Kept(level.index(), operation);
      if (values.keeps(kept)) {
        values.keep(kept, PlaneValues.age(level, time), row, column, value);
      }
    }

    private CellBody body() {
      return bodies.get(level.step());
    }

    private Operand value(int node, int time) {
      if (!level.times().isMoving(node)) {
        Operand uniform = body().uniform(node);
        return uniform != null ? uniform : position(node, time);
      }
      if (program.nodes().get(node) instanceof Node.Tap tap) {
        PlanePlan.Use use = plan.use(level, tap, time);
        return read.cell(use.source(), use.age(), row + use.offset(1), column + use.offset(2));
      }
      if (level.times().time(node) == time) {
        return made.get(node);
      }
      Kept kept = new Kept(level.index(), node);
      return values.register(kept, PlaneValues.age(level, time), row, column);
    }

    /** Returns what depends on positions alone, computed once for all cells that have it. */
    private Operand position(int node, int time) {
      int axes = axes(node);
      int age = PlaneValues.age(level, time);
      Position key =
          new Position(
              level.step(),
              node,
              (axes & 1) != 0 ? age : 0,
              (axes & 2) != 0 ? row : 0,
              (axes & 4) != 0 ? column : 0);
      Operand cached = positions.get(key);
      if (cached == null) {
        cached =
            program.nodes().get(node) instanceof Node.Coordinate coordinate
                ? coordinate(coordinate.axis(), age)
                : body().apply((Node.Apply) program.nodes().get(node), n -> value(n, time));
        positions.put(key, cached);
      }
      return cached;
    }

    private Operand coordinate(int axis, int age) {
      Register at =
          switch (axis) {
            case 0 -> k.b32("add.s32", frame.plane, arrived);
            case 1 -> frame.row;
            default -> frame.column;
          };
      int offset = axis == 0 ? -age : axis == 1 ? row : column;
      Register moved = k.b32("add.s32", at, offset);
      return k.make(registers, "cvt.rn." + PtxCells.arithmetic(type) + ".s32", moved);
    }

    Operand finish(Update update) {
      int time = level.times().resultTime(update);
      Operand value = value(update.node(), time);
      Kept kept = Kept.of(new Source(level.index(), update.field()));
      if (values.keeps(kept)) {
        values.keep(kept, PlaneValues.age(level, time), row, column, value);
      }
      return value;
    }
  }

  /** Returns the axes on whose coordinates a node depends, as bits. */
  private int axes(int node) {
    if (program.nodes().get(node) instanceof Node.Coordinate coordinate) {
      return 1 << coordinate.axis();
    }
    int axes = 0;
    for (int input : program.nodes().get(node).inputs()) {
      axes |= axes(input);
    }
    return axes;
  }

  /** Returns the planes between the one that arrives and the one of a field that leaves. */
  private int age(int field) {
    Source source = plan.outputs().get(field);
    return plan.lag(source) + plan.resultAge(source);
  }

  /** Writes the results of a row to their array. */
  private void leave(Level level, Update update, int row, List<Operand> cells) {
    int field = update.field();
    if (!new Source(level.index(), field).equals(plan.outputs().get(field))) {
      return;
    }
    Register plane = k.b32("sub.s32", arrived, age(field));
    results.write(plane, row, to.get(field), cells);
  }
}
