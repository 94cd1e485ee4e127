/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.error.Cancellation;
import java.lang.reflect.Array;

/**
 * Sliding sums and minima for frames wider than a vector, at a cost per cell that does not grow
 * with the width. Nothing is ever subtracted from a value, so infinities and NaN stay within their
 * frames.
 *
 * <p>The method is that of van Herk (1992) and Gil and Werman (1993), with blocks of one vector,
 * called <em>chunks</em>. A frame consists of a suffix of its first chunk, whole chunks, and a
 * prefix of its last chunk. Suffixes and prefixes for all lanes of a vector are made by shifting
 * lanes by 1, 2, 4 and 8. Chunks are placed so that the frames of a vector of outputs, one per
 * lane, all end in the same chunk and thus share their whole chunks. Only lanes whose first cell
 * lies in the chunk before that of the last lane, the <em>tail</em> lanes, have one more.
 *
 * <p>A ring holds suffixes until the frames that begin there have been made; a copy of its last
 * vector precedes the first. Values of whole chunks are a window that slides over the values of
 * chunks. A few are combined one by one, many by blocks.
 *
 * <p>Work proceeds in pieces of {@link #PIECE_CHUNKS} vectors of outputs, each in three stages:
 * suffixes for the next piece, frames of the current piece, and values of whole chunks for the
 * next. Pieces are small, so that memory is busy at all times. No stage reads what the stage before
 * it has written: reading a vector back stalls while its store still waits behind stores to memory.
 *
 * <p>Each stage is called in one place. The compiler may inline all stages into one method, and an
 * inner loop that it inlines three times has three times the traps. Beyond a certain number of
 * traps it leaves vectors on the heap; see {@link VectorProfiles}.
 */
abstract class SlidingScans {
  /** Chunks of a piece; a multiple of twice every type's lanes. */
  static final int PIECE_CHUNKS = 32;

  /** The chunks after which it is asked whether they are wanted; a multiple of those of a piece. */
  private static final int MOST_CHUNKS = 1 << 12;

  /** More whole chunks than this are combined by blocks. */
  private static final int MOST_SINGLE_CHUNKS = 32;

  private final int lanes;

  private int width;
  private int tailCells;

  /** The number of chunks that lie entirely within the frames of all lanes. */
  private int wholeChunks;

  private int ringChunks;
  private int totalsCells;

  /** The chunk whose value comes first in the totals. */
  private int totalsBase;

  /** The number of values made from the current block. */
  private int inBlock;

  private Object firstTail;

  SlidingScans(int lanes) {
    this.lanes = lanes;
  }

  /**
   * Computes {@code n} outputs.
   *
   * @param width cells of a frame, more than a vector's lanes
   * @param n a multiple of the lanes
   */
  final void slide(Object x, int from, int width, Object y, int at, int n) {
    plan(width);
    int outputs = n / lanes;
    // One more than frames need, so that the cells of all chunks have been seen: some subclasses
    // look for special cells there.
    int chunks = outputs + wholeChunks + 1;
    fillFirstTail(x, from);
    totalsBase = -1;
    inBlock = wholeChunks;
    int made = -1;
    for (int first = -PIECE_CHUNKS; first < outputs; first += PIECE_CHUNKS) {
      if (first % MOST_CHUNKS == 0) {
        Cancellation.ask();
      }
      int next = first + PIECE_CHUNKS;
      int ahead = next + PIECE_CHUNKS + wholeChunks;
      if (ahead - totalsBase > totalsCells) {
        moveTotals(first - totalsBase, made - first);
        totalsBase = first;
      }
      made = makeSuffixes(x, from, made, Math.min(ahead, chunks));
      if (first >= 0) {
        makeFrames(x, from, y, at, first, Math.min(next, outputs));
      }
      if (next < outputs) {
        join(next, Math.min(PIECE_CHUNKS, outputs - next));
      }
    }
  }

  /** Makes the values of whole chunks of {@code count} vectors from {@code first} on. */
  private void join(int first, int count) {
    int totalsAt = first + 1 - totalsBase;
    if (wholeChunks > MOST_SINGLE_CHUNKS) {
      joinBlocks(totalsAt, count);
    } else {
      joinChunks(totalsAt, wholeChunks, count);
    }
  }

  /**
   * Makes values by blocks of as many chunks, each from the end of one block and the start of the
   * next.
   */
  private void joinBlocks(int totalsAt, int count) {
    int made = 0;
    while (made < count) {
      if (inBlock == wholeChunks) {
        beginBlock(totalsAt + made, wholeChunks, made);
        inBlock = 1;
        made++;
      }
      int some = Math.min(count - made, wholeChunks - inBlock);
      continueBlock(totalsAt + made + wholeChunks - 1, inBlock, made, some);
      inBlock += some;
      made += some;
    }
  }

  private void plan(int frameCells) {
    if (width == frameCells) {
      return;
    }
    width = 0; // until memory has been allocated
    tailCells = (frameCells - 1) % lanes;
    wholeChunks = (frameCells - 1) / lanes - 1;
    ringChunks = (wholeChunks / PIECE_CHUNKS + 3) * PIECE_CHUNKS;
    totalsCells = 4 * (wholeChunks + 2 * PIECE_CHUNKS);
    reserve(lanes + ringChunks * lanes, totalsCells, tailCells);
    width = frameCells;
  }

  /** Returns the position of a chunk's suffixes; those of a piece made at once are contiguous. */
  private int suffixesAt(int chunk) {
    return lanes + Math.floorMod(chunk - wholeChunks, ringChunks) * lanes;
  }

  /**
   * The chunk before the first ends with the first cells of the frames of tail lanes. The results
   * for its other cells are not used; they are copies of one cell, so that no special cell is seen.
   */
  private void fillFirstTail(Object x, int from) {
    if (firstTail == null) {
      firstTail = Array.newInstance(x.getClass().getComponentType(), lanes + 1);
    }
    for (int lane = 0; lane < lanes - tailCells; lane++) {
      System.arraycopy(x, from, firstTail, lane, 1);
    }
    System.arraycopy(x, from, firstTail, lanes, 1);
    System.arraycopy(x, from, firstTail, lanes - tailCells, tailCells);
  }

  /** Makes the suffixes of chunks {@code first} to {@code end}, and returns the latter. */
  private int makeSuffixes(Object x, int from, int first, int end) {
    int chunk = first;
    while (chunk < end) {
      int ringAt = suffixesAt(chunk);
      int room = ringChunks - ringAt / lanes + 1;
      int count = chunk < 0 ? 1 : Math.min(Math.min(end - chunk, room), MOST_CHUNKS);
      Object cells = chunk < 0 ? firstTail : x;
      int at = chunk < 0 ? 0 : from + tailCells + chunk * lanes;
      addSuffixes(cells, at, ringAt, chunk - totalsBase, count * lanes);
      if (count == room) {
        copyBeforeFirst(ringChunks * lanes);
      }
      chunk += count;
      if (count == MOST_CHUNKS) {
        Cancellation.ask();
      }
    }
    return chunk;
  }

  private void makeFrames(Object x, int from, Object y, int at, int first, int end) {
    int vector = first;
    while (vector < end) {
      int ringAt = suffixesAt(vector);
      int count = Math.min(end - vector, ringChunks - ringAt / lanes + 1);
      int cell = vector * lanes;
      int lastAt = from + width - 1 + cell;
      writeFrames(x, lastAt, ringAt, tailCells, vector - first, y, at + cell, count * lanes);
      vector += count;
    }
  }

  /** Allocates suffixes and totals; the first {@code tails} lanes are tail lanes. */
  abstract void reserve(int suffixes, int totals, int tails);

  /**
   * Makes the suffixes of chunks, and their totals, the first suffix of each. May read one more
   * cell.
   */
  abstract void addSuffixes(Object x, int from, int ringAt, int totalsAt, int n);

  /** Copies the last vector of the ring to the place before its first. */
  abstract void copyBeforeFirst(int last);

  /** Moves {@code n} totals to the front. */
  abstract void moveTotals(int from, int n);

  /** Makes {@code n} values of {@code chunks} chunks each, at most a few. */
  abstract void joinChunks(int totalsAt, int chunks, int n);

  /** Makes all suffixes of a block of chunks; the first is the value {@code at}. */
  abstract void beginBlock(int totalsAt, int chunks, int at);

  /**
   * Makes {@code n} values, of the block's suffixes from {@code suffix} on and of the next block's
   * chunks up to each, of which {@code totalsAt} is the next.
   */
  abstract void continueBlock(int totalsAt, int suffix, int at, int n);

  /** Writes frames, from the suffixes, the values of whole chunks from {@code first} on, and x. */
  abstract void writeFrames(
      Object x, int from, int ringAt, int tailCells, int first, Object y, int at, int n);
}
