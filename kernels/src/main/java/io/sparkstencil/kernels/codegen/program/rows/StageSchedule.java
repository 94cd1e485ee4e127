/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a stage that rows stream through computes each of its operations. The time of an operation
 * is the distance of the row that arrives just then from the row of the result. An operation may be
 * computed as soon as its last operand is there, and must be when the last row of the stage has
 * arrived. Between times, values and cells wait in registers: times are chosen so that few do.
 */
final class StageSchedule {
  /** The most operations that are delayed one by one if that saves waiting: it takes a while. */
  private static final int DELAYED = 160;

  /** Cells of other lanes: those of one variable in one column, counted from the lane's first. */
  record Fringe(Variable variable, int column) {}

  /**
   * The ages at which cells are read.
   *
   * @param first the least rows that arrived after that of the cells
   * @param last the most rows that arrived after that of the cells
   */
  record Ages(int first, int last) {
    Ages and(int age) {
      return new Ages(Math.min(first, age), Math.max(last, age));
    }
  }

  private final StencilProgram program;
  private final Stage stage;
  private final List<Variable> carried;
  private final StageGhosts ghosts;
  private final int cells;
  private final int low;
  private final int high;
  private final boolean[] varies;
  private int[] times;

  /** How long the lane's own cells wait, by variable, in rows. */
  private final Map<Variable, Integer> ages = new HashMap<>();

  private final Map<Fringe, Ages> fringes =
      new TreeMap<>(
          Comparator.comparing((Fringe fringe) -> fringe.variable().field())
              .thenComparing(fringe -> fringe.variable().updated())
              .thenComparing(Fringe::column));

  /** How long the results of operations wait, by node, in rows. */
  private final int[] waits;

  /**
   * Chooses times.
   *
   * @param carried variables whose cells wait for the last row of the stage in any case
   * @param cells neighbouring cells of a row that one lane owns
   * @param ends where the boundary is held
   */
  StageSchedule(
      StencilProgram program, Stage stage, List<Variable> carried, int cells, HeldEnds ends) {
    this.program = program;
    this.stage = stage;
    this.carried = carried;
    this.cells = cells;
    ghosts = new StageGhosts(program, stage, cells, ends);
    int nodes = program.nodes().size();
    varies = new boolean[nodes];
    waits = new int[nodes];
    int before = 0;
    int behind = 0;
    boolean conditions = false;
    for (int node : stage.order()) {
      if (program.nodes().get(node) instanceof Node.Tap tap) {
        before = Math.max(before, -tap.offset().get(0));
        behind = Math.max(behind, tap.offset().get(0));
      } else if (program.nodes().get(node) instanceof Node.Apply apply) {
        conditions |= apply.operation().isCondition();
      }
      varies[node] = varies(program.nodes().get(node));
    }
    low = before;
    high = behind;
    times = new int[nodes];
    // conditions cannot wait: there are few registers for them
    if (conditions) {
      Arrays.fill(times, high);
    } else {
      choose();
    }
    measure();
  }

  private boolean varies(Node node) {
    return node instanceof Node.Tap
        || node instanceof Node.Coordinate
        || node.inputs().stream().anyMatch(input -> varies[input]);
  }

  private void choose() {
    int[] latest = new int[times.length];
    Arrays.fill(latest, high);
    int[] earliest = earliest();
    int[] late = earliest.clone();
    for (int i = stage.order().size() - 1; i >= 0 && stage.order().size() <= DELAYED; i--) {
      delay(late, stage.order().get(i));
    }
    int[] best = earliest;
    for (int[] candidate : List.of(late, latest)) {
      if (waiting(candidate) < waiting(best)) {
        best = candidate;
      }
    }
    times = best;
  }

  /** Returns the times at which all operands are there. */
  private int[] earliest() {
    int[] when = new int[times.length];
    for (int node : stage.order()) {
      int time = -low;
      boolean reads = false;
      for (int input : program.nodes().get(node).inputs()) {
        if (program.nodes().get(input) instanceof Node.Tap tap) {
          time = Math.max(time, tap.offset().get(0));
          reads = true;
        } else if (isOperation(input)) {
          time = Math.max(time, when[input]);
          reads = true;
        }
      }
      when[node] = reads ? time : high;
    }
    return when;
  }

  /** Delays an operation until it is used, if not more has to wait for that. */
  private void delay(int[] when, int node) {
    if (!isOperation(node)) {
      return;
    }
    int earliest = when[node];
    int used = stage.updates().stream().anyMatch(update -> update.node() == node) ? high : high + 1;
    for (int user : stage.order()) {
      if (program.nodes().get(user).inputs().contains(node)) {
        used = Math.min(used, when[user]);
      }
    }
    int before = waiting(when);
    for (int time = Math.min(used, high); time > earliest; time--) {
      when[node] = time;
      if (waiting(when) <= before) {
        return;
      }
    }
    when[node] = earliest;
  }

  private int waiting(int[] when) {
    times = when;
    measure();
    return waitingCells();
  }

  /** Finds how long cells and values wait. */
  private void measure() {
    ages.clear();
    fringes.clear();
    Arrays.fill(waits, 0);
    carried.forEach(variable -> ages.put(variable, high));
    for (int node : stage.order()) {
      if (isOperation(node)) {
        program.nodes().get(node).inputs().forEach(input -> use(input, times[node]));
      }
    }
    for (Update update : stage.updates()) {
      use(update.node(), high);
    }
    // Fetched when they arrive: what is fetched later depends on nothing that is computed for the
    // row, so that assemblers would begin the next rows too early, for which registers are lacking.
    // Cells that would wait long for that are fetched where they are read.
    fringes.replaceAll((fringe, age) -> age.first() == 1 ? age.and(0) : age);
    // another lane hands over what it still has
    fringes.forEach((fringe, age) -> ages.merge(fringe.variable(), age.first(), Math::max));
  }

  private void use(int node, int time) {
    if (program.nodes().get(node) instanceof Node.Tap tap) {
      Variable variable = new Variable(tap.field(), tap.updated());
      int age = time - tap.offset().get(0);
      for (int c = 0; c < cells; c++) {
        int column = c + tap.offset().get(1);
        if (column < 0 || column >= cells) {
          fringes.merge(new Fringe(variable, column), new Ages(age, age), (a, b) -> a.and(age));
        } else {
          ages.merge(variable, age, Math::max);
        }
      }
    } else if (isOperation(node)) {
      waits[node] = Math.max(waits[node], time - times[node]);
    }
  }

  /** Returns whether a node is an operation whose result depends on the cell. */
  boolean isOperation(int node) {
    return varies[node] && program.nodes().get(node) instanceof Node.Apply;
  }

  /** Returns the distance of the first row that is read from that of the result. */
  int low() {
    return low;
  }

  /** Returns the distance of the last row that must have arrived from that of the result. */
  int high() {
    return high;
  }

  /** Returns the cells outside that the stage reads where the boundary is held. */
  StageGhosts ghosts() {
    return ghosts;
  }

  /** Returns the operations of one time, in an order in which operands come first. */
  List<Integer> operations(int time) {
    return stage.order().stream().filter(n -> isOperation(n) && times[n] == time).toList();
  }

  /** Returns whether the result of an operation is read later, or is one of the stage. */
  boolean waits(int node) {
    return waits[node] > 0 || stage.updates().stream().anyMatch(update -> update.node() == node);
  }

  /** Returns the cells of other lanes that are read, with the ages at which they are. */
  Map<Fringe, Ages> fringes() {
    return fringes;
  }

  /** Returns the cells and values that wait in a lane from one row to the next. */
  int waitingCells() {
    int rows =
        ages.values().stream().mapToInt(Integer::intValue).sum() + Arrays.stream(waits).sum();
    int fringe = fringes.values().stream().mapToInt(age -> age.last() - age.first()).sum();
    return rows * cells + fringe;
  }

  /** Returns the most rows during which a cell or a value waits. */
  int longestWait() {
    int longest = Arrays.stream(waits).max().orElse(0);
    for (int age : ages.values()) {
      longest = Math.max(longest, age);
    }
    for (Ages age : fringes.values()) {
      longest = Math.max(longest, age.last());
    }
    return longest;
  }
}
