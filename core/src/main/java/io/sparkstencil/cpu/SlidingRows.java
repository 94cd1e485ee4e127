/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/**
 * The plan of a sliding sum or minimum whose cost per cell does not grow with the width.
 *
 * <p>Frames up to a bound go by steps: every position gets the value of the 4, 16, 64 and 256 cells
 * that begin there, as far as the frame reaches, and a frame is a few such values. Passes call the
 * Vector API directly and carry no vector around a loop: the compiler makes an object of every
 * vector that crosses a call it does not inline, and in a large method it inlines no more calls but
 * those of the Vector API.
 *
 * <p>Wider frames go by rows. Cells are seen as rows of {@link #ROW}. First every position gets the
 * value of the {@code ROW} cells that begin there, in two steps of four. A frame of {@code width}
 * cells then is {@code width / ROW} such values, {@code ROW} apart, and a tail; each column is a
 * series of its own, so the frames of all columns are made at once, one lane each, by the method of
 * van Herk (1992) and Gil and Werman (1993): the columns are cut into blocks of one frame's length,
 * and a frame, which touches at most two blocks, is a suffix of the first and a prefix of the
 * second. Suffixes are made backwards into scratch memory, prefixes run along. Nothing is ever
 * taken out of a value.
 *
 * <p>The values of rows that the next chunk of outputs begins with are carried over to it.
 */
final class SlidingRows {
  /** Cells in a row. */
  static final int ROW = 16;

  /** Outputs per chunk: the scratch arrays of a chunk stay in the first-level cache. */
  static final int CHUNK_CELLS = 2048;

  /** Minima of frames from here on go by rows; narrower ones by steps of four. */
  static final int WIDE_CELLS = 1024;

  /** Sums, whose steps cannot be made in place, go by rows from here on. */
  static final int WIDE_SUM_CELLS = 192;

  private final int frameRows;
  private final int tailCells;
  private final int chunkCells;

  /** Plans for frames of {@code width} cells, at least one row. */
  SlidingRows(int width) {
    frameRows = width / ROW;
    tailCells = width % ROW;
    chunkCells = Math.max(1, CHUNK_CELLS / ROW / frameRows) * frameRows * ROW;
  }

  /** Returns cells rounded up to what passes that unroll by four rows make. */
  static int groups(int cells) {
    return (cells + CellPasses.GROUP - 1) / CellPasses.GROUP * CellPasses.GROUP;
  }

  /**
   * Returns the outputs per chunk of steps of four. Small chunks let the memory work while steps
   * are made; wide frames need larger ones, because a chunk makes what a frame needs beyond it.
   */
  static int stepChunkCells(int width) {
    return width < WIDE_SUM_CELLS ? 512 : CHUNK_CELLS;
  }

  /** Returns the cells of an array of steps: positions, and what their frames read beyond. */
  static int stepCapacity(int width) {
    return groups(CHUNK_CELLS + 2 * width) + 2 * CellPasses.GROUP;
  }

  /** Returns the cells in the whole rows of a frame. */
  int frameCells() {
    return frameRows * ROW;
  }

  /** Returns the cells of a frame behind its whole rows. */
  int tailCells() {
    return tailCells;
  }

  /** Returns the outputs made at a time: whole blocks. */
  int chunkCells() {
    return chunkCells;
  }

  /** Returns the positions whose row values a chunk shares with the next. */
  int carriedCells() {
    return frameCells() + ROW;
  }

  int rowsCapacity() {
    return chunkCells + carriedCells();
  }

  int foursCapacity() {
    return Math.max(chunkCells, carriedCells()) + 2 * ROW;
  }
}
