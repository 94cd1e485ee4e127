/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.program.Node;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A count of the registers of a lane that hold something at the same time, whatever the order of
 * instructions. Which kernels spill was tried with 35 programs: of 5930 kernels for each of sm_80
 * and sm_90, and 3739 for sm_70, 76 spilled. These count 205 and more, as do 508 that did not.
 */
final class HeldRegisters {
  /** The most that a kernel may count. Of 255, assemblers need the rest for what they compute. */
  static final int MOST = 204;

  /** Registers for the address of an array. */
  private static final int OF_ADDRESS = 2;

  /** For the results of a step: assemblers work on several steps, which do not wait for others. */
  private static final double OF_RESULT = 1.25;

  /** For a cell that levels hand on as it is: its next place is taken before this one is free. */
  private static final double OF_MOVED = 0.05;

  private final RowStream kernel;
  private final Levels levels;
  private final int words;
  private final int cells;

  private HeldRegisters(RowStream kernel) {
    this.kernel = kernel;
    levels = kernel.levels();
    words = kernel.type().bytes() / Float.BYTES;
    cells = kernel.shape().cells();
  }

  /** Returns the count for a kernel. */
  static double of(RowStream kernel) {
    return new HeldRegisters(kernel).count();
  }

  private double count() {
    int warps = kernel.shape().warps();
    int reads = kernel.inputs().size();
    int writes = kernel.outputs().size();
    // the first warp reads, the last one writes
    int arrays = warps == 1 ? reads + writes : Math.max(reads, writes);
    double values =
        kernel.waitingCells()
            + OF_MOVED * movedRows() * cells
            + rowsInFlight() * cells
            + mostFringes()
            + (double) kernel.steps() / warps * uniformValues();
    double results = (double) kernel.steps() / warps * writes;
    return words * values + OF_RESULT * results + OF_ADDRESS * arrays;
  }

  /** Returns the most rows of a warp that wait and are then handed on as they are. */
  private int movedRows() {
    return IntStream.range(0, kernel.shape().warps())
        .map(
            warp ->
                IntStream.range(kernel.firstLevel(warp), kernel.firstLevel(warp + 1))
                    .map(level -> levels.carried(level).size() * kernel.schedule(level).high())
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
        kernel.traits().program().nodes().stream().anyMatch(Node.Coordinate.class::isInstance);
    return variables + (places ? 1 : 0);
  }

  private int mostFringes() {
    return IntStream.range(0, kernel.traits().stages().size())
        .map(stage -> kernel.schedule(stage).fringes().size())
        .max()
        .orElseThrow();
  }

  /** Returns the values of a step that depend on its parameters, but on no cell. */
  private int uniformValues() {
    List<Node> nodes = kernel.traits().program().nodes();
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
