/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/**
 * An instruction with the arrays that it reads and writes in one stage of one step.
 *
 * @param sources one array per operand
 * @param shifts what is added to the index of a cell, per operand
 * @param moves whether an operand has the cells of a tile, not those of a chunk
 * @param scalars the index of each term's weight
 * @param weights room for the weights
 * @param target where results go
 * @param targetMoves whether the target has the cells of a tile
 * @param from room for the index of the first cell in each operand
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BoundInstruction(
    Instruction.Opcode kind,
    Object[] sources,
    int[] shifts,
    boolean[] moves,
    int[] scalars,
    double[] weights,
    Object target,
    boolean targetMoves,
    int[] from) {
  /** Takes the values that the weights have in this step. */
  void weigh(double[] values) {
    for (int i = 0; i < weights.length; i++) {
      weights[i] = values[scalars[i]];
    }
  }

  /** Returns whether it reads and writes nothing but cells of a tile. */
  boolean isOfTile() {
    boolean all = targetMoves;
    for (boolean move : moves) {
      all &= move;
    }
    return all;
  }

  /** Computes cells {@code at} to {@code at + n} of a tile. */
  void run(Chunks chunks, int at, int n) {
    for (int i = 0; i < from.length; i++) {
      from[i] = shifts[i] + (moves[i] ? at : 0);
    }
    chunks.run(kind, sources, from, weights, target, targetMoves ? at : 0, n);
  }
}
