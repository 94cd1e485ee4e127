/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.OperationCost;
import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Ring;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Use;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.StencilProgram;
import java.util.HashMap;
import java.util.Map;

/** Estimates of what a {@link PlaneStream} takes: registers, and time in an array. */
final class PlaneCost {
  private static final int REGISTERS_OF_MULTIPROCESSOR = 65_536;
  private static final int SHARED_OF_MULTIPROCESSOR = 228 * 1024;
  private static final int MULTIPROCESSORS = 132;
  private static final int SCHEDULERS = 4;

  /** Registers for counters, for the addresses of a field, and while a division or a root runs. */
  private static final int OTHER_REGISTERS = 20;

  /** Registers for where a tile lies if it may be at ends of rows and of columns. */
  private static final int ENDS_REGISTERS = 10;

  /**
   * Words for each cell and level, at most, if such a tile reads cells that are outside along both
   * axes; the first levels take none.
   */
  private static final int DIAGONAL_WORDS = 3;

  /** The same of a tile that may be at ends along the columns alone. */
  private static final int DIAGONAL_WORDS_AT_COLUMNS = 1;

  private static final int FREE_LEVELS = 2;

  private static final int INPUT_REGISTERS = 6;
  private static final int OUTPUT_REGISTERS = 2;
  private static final int DIVISION_REGISTERS = 32;

  /** Planes of values that choices by conditions make wait. */
  private static final int CHOSEN_PLANES = 4;

  /**
   * The most constants of 64 bits that take registers; others are made again for each use, as all
   * are that one step fuses.
   */
  private static final int WIDE_CONSTANTS = 27;

  /** Values in flight in each column and field. */
  private static final int IN_FLIGHT = 4;

  /** Bytes that a multiprocessor moves per cycle, as measured. */
  private static final double BYTES_PER_CYCLE = 3.2e12 / MULTIPROCESSORS / 1.98e9;

  /** How much more is moved by warps that compute while others arrive, as measured. */
  private static final double FASTER_IF_OVERLAPPING = 1.05;

  /** The part of the cells that tiles share which comes from memory twice, not from a cache. */
  private static final double RIM_FROM_MEMORY = 0.5;

  /** The part of a scheduler's turns in which something runs. */
  private static final double BUSY = 0.8;

  private static final int MANY_WARPS = 16;
  private static final double BUSY_IF_WAITING_LITTLE = 0.86;

  /** The part that is left where blocks of doubles are taller than this many rows, as measured. */
  private static final double BUSY_IF_TALL = 0.87;

  private static final int TALL = 32;

  /** Turns for 128 bytes that lanes exchange, with the waiting for them. */
  private static final double EXCHANGE_TURNS = 2.25;

  /** Registers that the estimate leaves free, as assemblers differ. */
  private static final int SPARE_REGISTERS = 4;

  private final PlaneTile tile;
  private final PlanePlan plan;
  private final PlaneShape shape;
  private final PlaneMemory memory;
  private final ElementType type;
  private final int operations;

  PlaneCost(PlaneTile tile) {
    this.tile = tile;
    plan = tile.plan();
    shape = tile.shape();
    memory = tile.memory();
    type = tile.type();
    operations = OperationCost.ofStep(plan.traits(), type);
  }

  /** Returns the registers that a thread can have in a block of a number of warps. */
  static int available(int warps) {
    int perScheduler = (warps + SCHEDULERS - 1) / SCHEDULERS;
    int perThread = REGISTERS_OF_MULTIPROCESSOR / SCHEDULERS / (32 * perScheduler);
    return Math.min(255, perThread / 8 * 8) - SPARE_REGISTERS;
  }

  /** Returns an estimate of the registers of a thread. */
  int registers() {
    int words = type.bytes() / Float.BYTES;
    StencilProgram program = plan.program();
    boolean fuses = program.accuracy() != Accuracy.EXACT;
    long constants =
        program.nodes().stream()
            .filter(node -> node instanceof Node.Constant || node instanceof Node.Parameter)
            .count();
    int plane = shape.cells() * shape.rows();
    int values =
        kept() * plane
            + IN_FLIGHT * shape.cells() * program.updates().size()
            + (fuses ? 0 : products())
            + fetched()
            + coefficients()
            + unfinished()
            + (applies(Operation.DIVIDE) || applies(Operation.SQRT) ? DIVISION_REGISTERS : 0)
            + (applies(Operation.SELECT) ? CHOSEN_PLANES * plane : 0)
            + program.parameters().size() * shape.steps();
    return values * words
        + OTHER_REGISTERS
        + INPUT_REGISTERS * plan.inputs().size()
        + OUTPUT_REGISTERS * plan.outputs().size()
        + (fuses && shape.steps() == 1
            ? 0
            : (words - 1) * (int) Math.min(WIDE_CONSTANTS, constants))
        + (mayBeAtCorners() ? ENDS_REGISTERS : 0);
  }

  private boolean mayBeAtCorners() {
    return tile.ends().rows() && tile.ends().columns();
  }

  /** Returns the most registers that an assembler was seen to need where the estimate is lower. */
  int mostRegisters() {
    int words = shape.cells() * shape.rows() * type.bytes() / Float.BYTES;
    int levels = Math.max(0, plan.levels().size() - FREE_LEVELS);
    return registers() + (plan.readsDiagonally() ? diagonalWords() * words * levels : 0);
  }

  private int diagonalWords() {
    if (mayBeAtCorners()) {
      return DIAGONAL_WORDS;
    }
    return tile.ends().columns() ? DIAGONAL_WORDS_AT_COLUMNS : 0;
  }

  /** Returns the products that wait for their sums: many where cells are there long before. */
  private int products() {
    boolean holds = memory.rings().values().stream().anyMatch(Ring::held);
    return IN_FLIGHT * shape.cells() + (holds ? 2 * shape.cells() * shape.rows() : 0);
  }

  /** Returns the cells that wait while a row gets its last operations. */
  private int unfinished() {
    boolean late = false;
    boolean sums = false;
    for (Level level : plan.levels()) {
      StageTimes times = level.times();
      late |= times.operations().stream().filter(o -> times.time(o) % 2 == 0).count() > 1;
      // sums of several planes grow by the cells of one
      sums |=
          times.operations().stream().map(times::time).filter(t -> t % 2 != 0).distinct().count()
              > 1;
    }
    return (late ? IN_FLIGHT * shape.cells() : 0)
        + (sums ? plan.levels().size() * shape.cells() : 0);
  }

  /** Returns the cells of coefficients beside a cell that wait, in each level that reads some. */
  private int coefficients() {
    long levels =
        plan.uses().stream()
            .filter(use -> use.source().isInput() && !plan.program().updates(use.source().field()))
            .filter(use -> use.offset(1) != 0 || use.offset(2) != 0)
            .map(Use::level)
            .distinct()
            .count();
    return 2 * shape.cells() * (int) levels;
  }

  private boolean applies(Operation operation) {
    return plan.program().nodes().stream()
        .anyMatch(node -> node instanceof Node.Apply apply && apply.operation() == operation);
  }

  /**
   * Returns the cells of others that wait while a plane goes through all levels before a barrier,
   * and that plane; or what moving values from plane to plane takes.
   */
  private int fetched() {
    int cells = shape.cells();
    long levels =
        plan.uses().stream()
            .filter(use -> use.phase() == 0 && (use.offset(1) != 0 || use.offset(2) != 0))
            .map(Use::level)
            .distinct()
            .count();
    if (levels > 0) {
      return cells * shape.rows() + 2 * cells * (int) levels + 2 * IN_FLIGHT;
    }
    return PlaneValues.moves(plan, memory) ? 2 * IN_FLIGHT * cells : 0;
  }

  /** Returns the values per cell that are kept at a barrier, or between planes if that is more. */
  private int kept() {
    Map<Source, Integer> last = new HashMap<>();
    for (Use use : plan.uses()) {
      Ring ring = use.source().isInput() ? memory.rings().get(use.source().field()) : null;
      if (ring == null || ring.held()) {
        last.merge(use.source(), 2 * use.age() + use.phase(), Math::max);
      }
    }
    int atBarrier = 0;
    int between = 0;
    for (Map.Entry<Source, Integer> planes : last.entrySet()) {
      Source source = planes.getKey();
      boolean isInput = source.isInput();
      int from =
          isInput ? 2 * memory.rings().get(source.field()).arrives() : plan.resultAge(source);
      atBarrier += spans(from, planes.getValue(), 0);
      between += spans(from, planes.getValue(), 1);
    }
    for (Level level : plan.levels()) {
      for (int operation : level.times().operations()) {
        int from = level.times().time(operation);
        int to = level.times().lastUse(operation);
        atBarrier += spans(from, to, 0);
        between += spans(from, to, 1);
      }
    }
    return Math.max(atBarrier, between);
  }

  /** Returns how many ends of a phase there are from one time to another. */
  private static int spans(int from, int to, int phase) {
    int first = -Math.floorDiv(phase - from, 2);
    int last = Math.floorDiv(to - 1 - phase, 2);
    return Math.max(0, last - first + 1);
  }

  /** Returns the blocks that a multiprocessor runs at the same time. */
  int residentBlocks() {
    int warps = shape.warps();
    int byRegisters = 1;
    int likely = registers() * 5 / 4; // assemblers take what they can have
    while (likely <= available(warps * (byRegisters + 1)) && byRegisters < 64 / warps) {
      byRegisters++;
    }
    int byShared = SHARED_OF_MULTIPROCESSOR / (memory.bytes() + 1024);
    return Math.max(1, Math.min(byRegisters, byShared));
  }

  /** Returns an estimate of the cycles that a step of all results in an array takes. */
  double cyclesPerStep(PlaneStream kernel, FusedKernel.Layout layout, FusedKernel.Span results) {
    int resident = residentBlocks();
    FusedKernel.Launch launch = kernel.launch(layout, results, resident * MULTIPROCESSORS);
    long blocks = (long) launch.blocks() * launch.blocksY();
    double waves = Math.ceil((double) blocks / (resident * MULTIPROCESSORS));
    int planes = results.high().get(0) - results.low().get(0);
    double length = (double) planes / launch.blocksY() + plan.longestLag() + 1;
    return waves * length * cyclesPerPlane(kernel) * resident / shape.steps();
  }

  /** Returns the cycles that a multiprocessor takes for a plane of a block. */
  private double cyclesPerPlane(PlaneStream kernel) {
    int valid = kernel.tile().validColumns() * kernel.tile().validRows() * type.bytes();
    double bytes = plan.outputs().size() * valid;
    for (Ring ring : memory.rings().values()) {
      bytes += valid + RIM_FROM_MEMORY * (ring.slotBytes() - valid);
    }
    int cells = shape.cells() * shape.rows();
    double turns = operations * shape.steps() * cells + EXCHANGE_TURNS * exchanges();
    double computes = turns * shape.warps() / SCHEDULERS / busy();
    double moves = bytes / BYTES_PER_CYCLE / (shape.overlaps() ? FASTER_IF_OVERLAPPING : 1);
    return Math.max(computes, moves);
  }

  private double busy() {
    boolean waitsLittle = shape.warps() >= MANY_WARPS || shape.overlaps();
    double busy = waitsLittle ? BUSY_IF_WAITING_LITTLE : BUSY;
    return type == ElementType.F64 && shape.tileRows() > TALL ? busy * BUSY_IF_TALL : busy;
  }

  /** Returns how often a warp asks for 128 bytes of other lanes and warps per plane. */
  private int exchanges() {
    record Fetch(int level, Source source, int age, int phase) {}
    Map<Fetch, int[]> reach = new HashMap<>();
    for (Use use : plan.uses()) {
      Fetch fetch = new Fetch(use.level().index(), use.source(), use.age(), use.phase());
      int[] sides = reach.computeIfAbsent(fetch, f -> new int[4]);
      for (int axis = 1; axis <= 2; axis++) {
        sides[2 * axis - 2] = Math.max(sides[2 * axis - 2], -use.offset(axis));
        sides[2 * axis - 1] = Math.max(sides[2 * axis - 1], use.offset(axis));
      }
    }
    int words = type.bytes() / Float.BYTES;
    int requests = 0;
    for (int[] sides : reach.values()) {
      int stored = 2 * (sides[0] + sides[1]) * shape.cells();
      requests += (stored + (sides[2] + sides[3]) * shape.rows()) * words;
    }
    return requests;
  }
}
