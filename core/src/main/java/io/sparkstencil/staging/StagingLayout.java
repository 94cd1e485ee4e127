/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.model.StencilSpec;
import java.util.Arrays;
import java.util.List;

/**
 * Where the pieces of a batch lie in a staging buffer, one after the other without gaps, each with
 * its halos:
 *
 * <pre>
 *   start(s)          start(s)+left           start(s)+left+cells(s)
 *   | left halo       | cells                 | right halo      |  next piece
 * </pre>
 *
 * Output cell {@code i} of piece {@code s} is made of staged cells {@code start(s) + left + i -
 * preceding} to {@code start(s) + left + i + following} and is written to position {@code start(s)
 * + i} of the output buffer. So one pass over all positions of the input is also a correct pass
 * over the batch: what it writes at positions that belong to no output means nothing and is never
 * read.
 *
 * <p>Halo cells that lie outside their series without a value ("missing", under the boundaries
 * shrink and valid) are staged as 0: the first {@code missingLeft(s)} staged cells of a piece and
 * its last {@code missingRight(s)}.
 */
public final class StagingLayout {
  private final int left;
  private final int right;
  private int pieces;
  private int stagedCells;
  private int outputCells;
  private int[] start = new int[16];
  private int[] cells = new int[16];
  private int[] missingLeft = new int[16];
  private int[] missingRight = new int[16];

  /** Creates an empty layout for pieces with halos of {@code left} and {@code right} cells. */
  public StagingLayout(int left, int right) {
    this.left = left;
    this.right = right;
  }

  /**
   * Creates an empty layout with the halos that the widest frames need; the left ones are a
   * multiple of {@code alignment} cells.
   */
  public static StagingLayout ofFrames(List<StencilSpec> specs, int alignment) {
    int left = specs.stream().mapToInt(spec -> spec.frame().left()).max().orElse(0);
    int right = specs.stream().mapToInt(spec -> spec.frame().right()).max().orElse(0);
    return new StagingLayout((left + alignment - 1) / alignment * alignment, right);
  }

  /** Appends a piece and returns its index. */
  public int add(int pieceCells, int pieceMissingLeft, int pieceMissingRight) {
    if (pieces == start.length) {
      start = Arrays.copyOf(start, 2 * pieces);
      cells = Arrays.copyOf(cells, 2 * pieces);
      missingLeft = Arrays.copyOf(missingLeft, 2 * pieces);
      missingRight = Arrays.copyOf(missingRight, 2 * pieces);
    }
    start[pieces] = stagedCells;
    cells[pieces] = pieceCells;
    missingLeft[pieces] = pieceMissingLeft;
    missingRight[pieces] = pieceMissingRight;
    stagedCells = Math.addExact(stagedCells, Math.addExact(left + right, pieceCells));
    outputCells += pieceCells;
    return pieces++;
  }

  /** Removes all pieces. */
  public void clear() {
    pieces = 0;
    stagedCells = 0;
    outputCells = 0;
  }

  /** Returns the halo cells before each piece. */
  public int left() {
    return left;
  }

  /** Returns the halo cells after each piece. */
  public int right() {
    return right;
  }

  /** Returns the halo cells of each piece, before and after it. */
  public int halos() {
    return left + right;
  }

  /** Returns the number of pieces. */
  public int pieces() {
    return pieces;
  }

  /** Returns the staged cells of all pieces, halos included. */
  public int stagedCells() {
    return stagedCells;
  }

  /** Returns the output cells of all pieces. */
  public int outputCells() {
    return outputCells;
  }

  /** Returns the position of the first staged cell, and of the first output, of a piece. */
  public int start(int piece) {
    return start[piece];
  }

  /** Returns the output cells of a piece. */
  public int cells(int piece) {
    return cells[piece];
  }

  /** Returns how many of a piece's first staged cells are missing. */
  public int missingLeft(int piece) {
    return missingLeft[piece];
  }

  /** Returns how many of a piece's last staged cells are missing. */
  public int missingRight(int piece) {
    return missingRight[piece];
  }

  /**
   * Returns the number of first outputs of a piece whose frame touches missing cells on the left;
   * at most {@link #cells}.
   */
  public int clippedLeft(int piece, StencilSpec spec) {
    long firstWhole = (long) missingLeft[piece] - left + spec.frame().preceding();
    return (int) Math.max(0, Math.min(cells[piece], firstWhole));
  }

  /**
   * Returns the number of last outputs of a piece whose frame touches missing cells on the right;
   * at most {@link #cells}. A short piece can have outputs that are clipped on both sides.
   */
  public int clippedRight(int piece, StencilSpec spec) {
    long lastOutside = (long) missingRight[piece] - right + spec.frame().following();
    return (int) Math.max(0, Math.min(cells[piece], lastOutside));
  }
}
