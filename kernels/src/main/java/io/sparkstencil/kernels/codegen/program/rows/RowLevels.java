/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.codegen.program.CellBody;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Update;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Writes the levels of a {@link RowTile} that one warp computes. */
final class RowLevels {
  /** What waits in registers: the cells of a variable or the results of an operation. */
  private record Held(int level, Object what, int slot, int column) {}

  /**
   * Where an operation is computed.
   *
   * @param row the row of the result
   * @param time the row that arrived last, counted from that of the result
   */
  private record Place(int level, int row, int time, int cell) {}

  private final PtxWriter k;
  private final RowTile tile;
  private final Levels levels;
  private final PtxType cellType;
  private final int cells;
  private final int slots;
  private final IntFunction<CellBody> bodies;
  private final Register x;
  private final Register leaving;
  private final RowBoundary boundary; // or null
  private final Map<Held, Register> held = new LinkedHashMap<>();

  /**
   * Prepares writing.
   *
   * @param bodies what writes the operations of a step
   * @param x the first column of this lane
   * @param leaving the row of results that is complete when the next row arrives at the first level
   * @param boundary holds the boundary; null if none reaches the cells
   */
  RowLevels(
      PtxWriter k,
      RowTile tile,
      IntFunction<CellBody> bodies,
      Register x,
      Register leaving,
      RowBoundary boundary) {
    this.k = k;
    this.tile = tile;
    this.bodies = bodies;
    this.x = x;
    this.leaving = leaving;
    this.boundary = boundary;
    levels = tile.levels();
    cellType = PtxCells.registers(tile.type());
    cells = tile.shape().cells();
    slots = tile.slots();
  }

  /**
   * Returns the register of a cell that has arrived at a level, or leaves the one before.
   *
   * @param variable the index of the variable among those that reach the level
   * @param turn the row that arrives at the first level
   */
  Register arrived(int level, int variable, int turn, int cell) {
    return own(level, levels.live(level).get(variable), turn - tile.lag(level), cell);
  }

  /**
   * Writes what happens when a row arrives.
   *
   * @param first the level at which it arrives
   * @param end the level behind the last one that this warp computes
   * @param turn its number among those of a turn of the loop
   */
  void row(int first, int end, int turn) {
    arrive(first, turn);
    fetch(first, turn, false);
    for (int level = first; level < end; level++) {
      StageSchedule schedule = tile.schedule(level);
      boolean another = level + 1 < end;
      if (another) {
        fetch(level + 1, turn, false);
      }
      compute(level, turn, schedule.high());
      handOn(level, turn);
      if (another) {
        arrive(level + 1, turn);
      }
      for (int time = schedule.high() - 1; time >= -schedule.low(); time--) {
        compute(level, turn, time);
      }
    }
  }

  /**
   * Writes a value to each register in which something waits. Before the first rows have come,
   * results that nobody writes are computed from what is there. An assembler takes registers that
   * nothing was written to for whatever suits it, and shortens chains in which rows wait.
   */
  void clear() {
    held.values().forEach(register -> move(register, PtxCells.literal(tile.type(), 0)));
  }

  /** Returns the register of what waits; rows take turns in the slots. */
  private Register own(int level, Object what, int row, int column) {
    Held key = new Held(level, what, Math.floorMod(row, slots), column);
    return held.computeIfAbsent(key, absent -> k.register(cellType));
  }

  /** Completes the row that has arrived at a level. */
  private void arrive(int level, int turn) {
    if (boundary != null) {
      boundary.holdOwn(level, cells(level, turn - tile.lag(level)));
    }
    fetch(level, turn, true);
  }

  private RowBoundary.Cells cells(int level, int row) {
    return (variable, column) -> own(level, variable, row, column);
  }

  /** Fetches cells of neighbouring lanes: those of the row that arrives, or of rows before. */
  private void fetch(int level, int turn, boolean arriving) {
    int arrives = turn - tile.lag(level);
    tile.schedule(level)
        .fringes()
        .forEach(
            (fringe, ages) -> {
              if (arriving == (ages.first() == 0)) {
                int row = arrives - ages.first();
                int lanes = Math.floorDiv(fringe.column(), cells);
                int there = Math.floorMod(fringe.column(), cells);
                WarpShuffle.Mode mode = lanes > 0 ? WarpShuffle.Mode.DOWN : WarpShuffle.Mode.UP;
                Register own = own(level, fringe.variable(), row, there);
                Register read = WarpShuffle.read(k, mode, own, Math.abs(lanes), null);
                move(own(level, fringe.variable(), row, fringe.column()), read);
                if (boundary != null) {
                  boundary.holdFetched(
                      level, fringe.variable(), fringe.column(), cells(level, row));
                }
              }
            });
  }

  /** Computes the operations of one time. */
  private void compute(int level, int turn, int time) {
    List<Integer> operations = tile.schedule(level).operations(time);
    int row = turn - tile.lag(level) - time;
    for (int cell = 0; cell < cells; cell++) {
      Place place = new Place(level, row, time, cell);
      Map<Integer, Operand> made = new HashMap<>();
      for (int node : operations) {
        Node.Apply apply = (Node.Apply) tile.traits().program().nodes().get(node);
        made.put(node, body(level).apply(apply, input -> operand(place, input, made)));
      }
      for (int node : operations) {
        if (tile.schedule(level).waits(node)) {
          move(own(level, node, row, cell), made.get(node));
        }
      }
    }
  }

  private CellBody body(int level) {
    return bodies.apply(levels.step(level));
  }

  private Operand operand(Place place, int node, Map<Integer, Operand> made) {
    Operand uniform = body(place.level).uniform(node);
    if (uniform != null) {
      return uniform;
    }
    Node what = tile.traits().program().nodes().get(node);
    if (what instanceof Node.Tap tap) {
      return own(
          place.level,
          new Variable(tap.field(), tap.updated()),
          place.row + tap.offset().get(0),
          place.cell + tap.offset().get(1));
    }
    if (what instanceof Node.Coordinate coordinate) {
      return made.computeIfAbsent(node, absent -> position(place, coordinate.axis()));
    }
    return made.containsKey(node) ? made.get(node) : own(place.level, node, place.row, place.cell);
  }

  /** Returns a position as a cell. */
  private Operand position(Place place, int axis) {
    int behind = tile.lag() - tile.lag(place.level) - place.time;
    Register integer =
        axis == 1 ? k.b32("add.s32", x, place.cell) : k.b32("add.s32", leaving, behind);
    return k.make(cellType, "cvt.rn." + PtxCells.arithmetic(tile.type()) + ".s32", integer);
  }

  /** Gives the next level the row that is complete. */
  private void handOn(int level, int turn) {
    int high = tile.schedule(level).high();
    int row = turn - tile.lag(level) - high;
    for (Update update : levels.stage(level).updates()) {
      Variable result = new Variable(update.field(), true);
      if (levels.isHandedOn(level, result)) {
        for (int c = 0; c < cells; c++) {
          Operand value = operand(new Place(level, row, high, c), update.node(), new HashMap<>());
          move(own(level + 1, levels.next(level, result), row, c), value);
        }
      }
    }
    for (Variable variable : levels.carried(level)) {
      for (int c = 0; c < cells; c++) {
        move(own(level + 1, levels.next(level, variable), row, c), own(level, variable, row, c));
      }
    }
  }

  private void move(Register target, Operand value) {
    k.put("mov." + cellType.declaration(), target, value);
  }
}
