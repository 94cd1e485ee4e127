/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Use;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The registers that keep values from one plane or phase to the next. A value belongs to a plane;
 * its registers are found by the planes that have arrived since. If few planes are kept, the text
 * is repeated for as many planes and the registers change their roles; if many are, the values are
 * moved.
 */
final class PlaneValues {
  /** The most planes for which the text is repeated. */
  private static final int REPEATED = 4;

  /**
   * What is kept.
   *
   * @param node an operation of the level; or the result for field {@code f}, as {@code -1 - f}; or
   *     the field if the level is {@link PlanePlan#INPUT}
   */
  record Kept(int level, int node) {
    static Kept of(Source source) {
      return new Kept(source.level(), source.isInput() ? source.field() : -1 - source.field());
    }
  }

  /** The planes between the one that arrives and the kept one: from newest to oldest. */
  record Ages(int newest, int oldest) {
    Ages union(Ages other) {
      return new Ages(Math.min(newest, other.newest), Math.max(oldest, other.oldest));
    }
  }

  private record Name(Kept kept, int slot, int row, int column) {}

  private final PtxWriter k;
  private final StencilProgram program;
  private final PlaneShape shape;
  private final ElementType type;
  private final PtxType cell;
  private final Map<Kept, Ages> kept;
  private final int turns;
  private final boolean moves;
  private final Map<Name, Register> registers = new LinkedHashMap<>();
  private int turn;

  PlaneValues(PtxWriter k, PlanePlan plan, PlaneMemory memory, PlaneShape shape, ElementType type) {
    this.k = k;
    this.shape = shape;
    program = plan.program();
    this.type = type;
    cell = PtxCells.registers(type);
    kept = kept(plan, memory);
    moves = moves(plan, memory);
    turns = moves ? 1 : longest(kept);
  }

  /** Returns whether values move from plane to plane. */
  static boolean moves(PlanePlan plan, PlaneMemory memory) {
    return longest(kept(plan, memory)) > REPEATED;
  }

  private static int longest(Map<Kept, Ages> kept) {
    return kept.values().stream().mapToInt(a -> a.oldest() - a.newest() + 1).max().orElse(1);
  }

  /** Returns what is kept, and for how long. */
  private static Map<Kept, Ages> kept(PlanePlan plan, PlaneMemory memory) {
    Map<Kept, Ages> kept = new LinkedHashMap<>();
    for (Use use : plan.uses()) {
      Source source = use.source();
      int lag = plan.lag(source);
      int newest = lag;
      if (source.isInput()) {
        PlaneMemory.Ring ring = memory.rings().get(source.field());
        if (!ring.held()) {
          continue;
        }
        newest = ring.arrives();
      } else {
        newest = lag + plan.resultAge(source);
      }
      kept.merge(Kept.of(source), new Ages(newest, lag + use.age()), Ages::union);
    }
    for (Level level : plan.levels()) {
      for (int operation : level.times().operations()) {
        int time = level.times().time(operation);
        int last = level.times().lastUse(operation);
        if (last > time) {
          kept.put(
              new Kept(level.index(), operation), new Ages(age(level, time), age(level, last)));
        }
      }
    }
    return kept;
  }

  /** Returns the planes that have arrived since that of the cells that run at a time. */
  static int age(Level level, int time) {
    return level.lag() + Math.floorDiv(time, 2);
  }

  /** Returns how many times the text is repeated. */
  int turns() {
    return turns;
  }

  void startTurn(int newTurn) {
    turn = newTurn;
  }

  boolean keeps(Kept what) {
    return kept.containsKey(what);
  }

  /** Returns the register of a cell. */
  Register register(Kept what, int age, int row, int column) {
    Ages ages = kept.get(what);
    int slot = moves ? age - ages.newest() : Math.floorMod(turn - age, turns);
    return registers.computeIfAbsent(
        new Name(what, slot, row, column), name -> k.register(type(what)));
  }

  private PtxType type(Kept what) {
    boolean isCondition =
        what.level() != PlanePlan.INPUT
            && what.node() >= 0
            && program.nodes().get(what.node()) instanceof Node.Apply apply
            && apply.operation().isCondition();
    return isCondition ? PtxType.PREDICATE : cell;
  }

  /**
   * Sets all registers. Results do not depend on what they have before the first planes come, but
   * assemblers take a register that nothing was written to for any that suits them, also for one
   * that the value of a later plane has.
   */
  void clear() {
    for (Register register : registers.values()) {
      boolean isCondition = register.type() == PtxType.PREDICATE;
      Operand nothing = isCondition ? Literal.of(0) : PtxCells.literal(type, 0);
      k.put("mov." + register.type().declaration(), register, nothing);
    }
  }

  /** Keeps a value. */
  void keep(Kept what, int age, int row, int column, Operand value) {
    Register register = register(what, age, row, column);
    k.put("mov." + register.type().declaration(), register, value);
  }

  /** Ends a turn: values move on by a plane if registers do not change their roles. */
  void endTurn() {
    if (!moves) {
      return;
    }
    kept.forEach(
        (what, ages) -> {
          for (int age = ages.oldest(); age > ages.newest(); age--) {
            for (int row = 0; row < shape.rows(); row++) {
              for (int column = 0; column < shape.cells(); column++) {
                keep(what, age, row, column, register(what, age - 1, row, column));
              }
            }
          }
        });
  }
}
