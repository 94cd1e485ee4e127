/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/**
 * The plan of a sliding minimum whose cost per cell does not grow with the width.
 *
 * <p>Cells are seen as rows of one vector's lanes. First every position gets the value of the four
 * cells that begin there, then, of these, the value of the row of cells that begins there. A frame
 * of {@code width} cells then is {@code width / lanes} values of rows, {@code lanes} apart, and a
 * tail. Each lane is a series of its own and goes by the method of van Herk (1992) and Gil and
 * Werman (1993): a column is cut into blocks of one frame's length, and a frame, which touches at
 * most two blocks, is a suffix of the first and a prefix of the second. Nothing is ever taken out
 * of a value.
 *
 * <p>Work goes by pieces of about {@link #PIECE_CELLS} cells and by stages. A piece is small, so
 * that scratch memory and the cells that stream past it stay in the first-level cache, and so that
 * the memory has something to do at all times. Stages of one piece are in an order in which none
 * reads what the one before has written: a vector read back while its store still waits behind
 * stores to memory stalls. Blocks are held for three groups of blocks: frames end in the first,
 * suffixes are made of the second, and values of rows are made for the third.
 */
final class SlidingRows {
  /** Cells made at a time by each stage. */
  static final int PIECE_CELLS = 256;

  /** No piece has more cells than this. */
  static final int MOST_PIECE_CELLS = 2 * PIECE_CELLS;

  /**
   * Where rows begin in scratch memory that has the values of four cells at its start. A store and
   * a load that follows it are told apart by the last 12 bits of their addresses: what a stage
   * reads and what it writes must not lie a multiple of 4096 bytes apart.
   */
  static final int ROWS_AT = 2 * PIECE_CELLS + PIECE_CELLS / 2;

  /** Cells left free between rows and suffixes, for the same reason. */
  private static final int GAP_CELLS = PIECE_CELLS / 2;

  /** Narrower frames are cheaper tap by tap; at least a row of any type. */
  static final int LEAST_CELLS = 16;

  private final int lanes;
  private final int frameRows;
  private final int tailCells;
  private final int groupCells;
  private final int pieceCells;

  /** Plans for frames of {@code width} cells, at least one row. */
  SlidingRows(int width, int lanes) {
    this.lanes = lanes;
    frameRows = width / lanes;
    tailCells = width % lanes;
    int blockCells = frameCells();
    groupCells = Math.max(1, (PIECE_CELLS + blockCells / 2) / blockCells) * blockCells;
    int pieces = (groupCells + PIECE_CELLS + PIECE_CELLS / 2 - 1) / (PIECE_CELLS + PIECE_CELLS / 2);
    pieceCells = (groupCells / lanes + pieces - 1) / pieces * lanes;
  }

  /** Returns the cells in the whole rows of a frame, which is the length of a block. */
  int frameCells() {
    return frameRows * lanes;
  }

  /** Returns the cells of a frame behind its whole rows. */
  int tailCells() {
    return tailCells;
  }

  /** Returns the cells of a group: whole blocks, and whole pieces unless it is one block. */
  int groupCells() {
    return groupCells;
  }

  /** Returns where suffixes begin in scratch memory, behind the rows of three groups. */
  int suffixesAt() {
    return ROWS_AT + 3 * groupCells + GAP_CELLS;
  }

  /** Returns the cells of scratch memory. */
  int scratchCells() {
    return suffixesAt() + 2 * groupCells;
  }

  /** Returns the cells that a stage makes at a time, except at a group's end. */
  int pieceCells() {
    return pieceCells;
  }

  /** Returns the cells of a block that lie in one piece. */
  int stepCells() {
    return Math.min(frameCells(), pieceCells);
  }
}
