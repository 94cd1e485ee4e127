/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.Node;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A count of the registers of a lane that hold something at the same time, whatever the order of
 * instructions. Which kernels spill was tried with 35 programs: of 5930 kernels for each of sm_80
 * and sm_90, and 3739 for sm_70, 76 spilled. These count 205 and more, as do 508 that did not.
 */
final class HeldRegisters {
  /** The axis along which rows are. */
  private static final int AXIS = 1;

  /** The most that a kernel may count. Of 255, assemblers need the rest for what they compute. */
  private static final int MOST = 204;

  /** The same for warps that share their instructions, which compute few levels. */
  private static final int MOST_SHARING = 214;

  /**
   * The same for fused sums in lanes of {@link #MANY_CELLS}, if cells beside a row are other than
   * copies of its ends. Assemblers need nearly 60 registers besides those counted, a few more or
   * fewer by what these cells are. Eight and nine points in floats, seven steps in lanes of twelve
   * cells, count 197: mirrored and constant cells made them spill on one device or another.
   */
  private static final int MOST_WITH_OTHER_ENDS = 196;

  /**
   * The same with the doubles of a program that are no cells. Of boxes from 81 to 361 cells,
   * kernels that spilled count 230 and more.
   */
  static final int MOST_WITH_CONSTANTS = 229;

  private static final int MANY_CELLS = 12;

  private static final int MANY_CONSTANTS = 64;

  /** For a constant of each step: an instruction has no room for a double. */
  private static final double OF_CONSTANT = 0.5;

  /** The same where products are rounded before they are added: several are under way. */
  private static final double OF_ROUNDED_CONSTANT = 1.25;

  /** Registers for the address of an array. */
  private static final int OF_ADDRESS = 2;

  /** For the results of a step: assemblers work on several steps, which do not wait for others. */
  private static final double OF_RESULT = 1.25;

  /** For a cell that levels hand on as it is: its next place is taken before this one is free. */
  private static final double OF_MOVED = 0.05;

  /** For what a tile that may lie at an end of the rows knows of that. */
  private static final int OF_ENDS = 2;

  private final RowTile tile;
  private final Levels levels;
  private final int words;
  private final int cells;

  private HeldRegisters(RowTile tile) {
    this.tile = tile;
    levels = tile.levels();
    words = tile.type().bytes() / Float.BYTES;
    cells = tile.shape().cells();
  }

  /** Returns the most that the count of a tile may be. */
  static int most(RowTile tile) {
    if (tile.sharesCode()) {
      return MOST_SHARING;
    }
    boolean fused = tile.traits().program().accuracy() == Accuracy.FMA;
    boolean many = tile.shape().cells() >= MANY_CELLS;
    return fused && many && !repeatsEnds(tile.ends()) ? MOST_WITH_OTHER_ENDS : MOST;
  }

  /** Returns whether the cells beside a row are copies of its first and its last one. */
  private static boolean repeatsEnds(HeldEnds ends) {
    return !ends.columns()
        || IntStream.range(0, ends.boundaries().size())
            .allMatch(field -> repeatsEnd(ends, field, false) && repeatsEnd(ends, field, true));
  }

  private static boolean repeatsEnd(HeldEnds ends, int field, boolean high) {
    return ends.source(field, AXIS, high, 1).equals(OptionalInt.of(0));
  }

  /** Returns the count for a tile. */
  static double of(RowTile tile) {
    return new HeldRegisters(tile).count();
  }

  /** Returns the count with constants, where there are so many that they take registers. */
  static double withConstants(RowTile tile) {
    HeldRegisters held = new HeldRegisters(tile);
    long constants =
        tile.traits().program().nodes().stream().filter(Node.Constant.class::isInstance).count();
    boolean fused = tile.traits().program().accuracy() == Accuracy.FMA;
    double each = (held.words - 1) * (fused ? OF_CONSTANT : OF_ROUNDED_CONSTANT);
    double all = constants < MANY_CONSTANTS ? 0 : each * constants * tile.steps();
    return held.count() + all / tile.shape().warps();
  }

  private double count() {
    int warps = tile.shape().warps();
    int reads = tile.inputs().size();
    int writes = tile.outputs().size();
    // the first warp reads, the last one writes
    int arrays = warps == 1 ? reads + writes : Math.max(reads, writes);
    double values =
        tile.waitingCells()
            + OF_MOVED * movedRows() * cells
            + rowsInFlight() * cells
            + mostFringes()
            + (double) tile.steps() / warps * uniformValues();
    double results = (double) tile.steps() / warps * writes;
    int ends = tile.ends().columns() ? OF_ENDS : 0;
    return words * values + OF_RESULT * results + OF_ADDRESS * arrays + ends;
  }

  /** Returns the most rows of a warp that wait and are then handed on as they are. */
  private int movedRows() {
    return IntStream.range(0, tile.shape().warps())
        .map(
            warp ->
                IntStream.range(tile.firstLevel(warp), tile.firstLevel(warp + 1))
                    .map(level -> levels.carried(level).size() * tile.schedule(level).high())
                    .sum())
        .max()
        .orElseThrow();
  }

  /** Returns the most rows that one level hands to the next, and one of positions if they count. */
  private int rowsInFlight() {
    int variables =
        IntStream.rangeClosed(0, levels.count())
            .map(level -> levels.live(level).size())
            .max()
            .orElseThrow();
    boolean places =
        tile.traits().program().nodes().stream().anyMatch(Node.Coordinate.class::isInstance);
    return variables + (places ? 1 : 0);
  }

  private int mostFringes() {
    return IntStream.range(0, tile.traits().stages().size())
        .map(stage -> tile.schedule(stage).fringes().size())
        .max()
        .orElseThrow();
  }

  /** Returns the values of a step that depend on its parameters, but on no cell. */
  private int uniformValues() {
    List<Node> nodes = tile.traits().program().nodes();
    boolean[] varies = new boolean[nodes.size()];
    boolean[] depends = new boolean[nodes.size()];
    int count = 0;
    for (int i = 0; i < varies.length; i++) {
      Node node = nodes.get(i);
      varies[i] = node instanceof Node.Tap || node instanceof Node.Coordinate;
      depends[i] = node instanceof Node.Parameter;
      for (int input : node.inputs()) {
        varies[i] |= varies[input];
        depends[i] |= depends[input];
      }
      count += depends[i] && !varies[i] ? 1 : 0;
    }
    return count;
  }
}
