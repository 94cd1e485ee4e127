/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A box of cells for which a {@link StepKernel} computes the results of a stage, and where cells
 * and results are. A launch does several jobs, which it reads from a table.
 *
 * <pre>
 *   low[3] high[3] safeLow[3] safeHigh[3] tiles chunks shift depth     32 bits each
 *   per source   origin row plane (64 bits each) low[3] cells[3] (32 bits each)
 *   per result   origin row plane (64 bits each)
 * </pre>
 *
 * @param low the first cell along each of three axes, in the field
 * @param high the first cell beyond
 * @param sources one view for each of {@link StepKernel#sources}
 * @param results one view for each of {@link StepKernel#results}; their bounds do not matter
 */
public record StepJob(
    List<Integer> low, List<Integer> high, List<ArrayView> sources, List<ArrayView> results) {
  static final int LOW = 0;
  static final int HIGH = 12;
  static final int SAFE_LOW = 24;
  static final int SAFE_HIGH = 36;
  static final int TILES = 48;
  static final int CHUNKS = 52;
  static final int SHIFT = 56;
  static final int DEPTH = 60;
  static final int HEADER_BYTES = 64;
  static final int SOURCE_BYTES = 48;
  static final int RESULT_BYTES = 24;

  /** A block's threads, for the narrowest and the widest tile. */
  static final int THREADS = 128;

  private static final int WIDEST_SHIFT = 7;
  private static final int NARROWEST_SHIFT = 3;

  /** Rows that a thread computes one after the other, where there are blocks enough without. */
  private static final int MOST_DEPTH = 8;

  /** Blocks that keep every multiprocessor busy. */
  private static final long ENOUGH_BLOCKS = 1024;

  /** Returns whether there is no cell. */
  public boolean isEmpty() {
    return cells() == 0;
  }

  private long cells() {
    return (long) length(0) * length(1) * length(2);
  }

  private int length(int axis) {
    return Math.max(0, high.get(axis) - low.get(axis));
  }

  private static long ceilDiv(long cells, long perPart) {
    return (cells + perPart - 1) / perPart;
  }

  /** How blocks cover the box: the numbers behind the bounds in the table. */
  private record Cover(int tiles, int chunks, int shift, int depth, long blocks) {}

  private Cover cover(int dimensions) {
    long enough = cells() / THREADS / ENOUGH_BLOCKS;
    int depth = (int) Math.max(1, Math.min(MOST_DEPTH, enough));
    if (dimensions == 1) {
      long tiles = ceilDiv(length(2), (long) THREADS * depth);
      return new Cover((int) tiles, 1, WIDEST_SHIFT, depth, tiles);
    }
    int shift = WIDEST_SHIFT;
    while (shift > NARROWEST_SHIFT && 1 << (shift - 1) >= length(2)) {
      shift--;
    }
    long tiles = ceilDiv(length(2), 1L << shift);
    long chunks = ceilDiv(length(1), (long) depth * (THREADS >> shift));
    return new Cover((int) tiles, (int) chunks, shift, depth, tiles * chunks * length(0));
  }

  /** Returns the blocks that a launch needs for this job. */
  long blocks(int dimensions) {
    return cover(dimensions).blocks();
  }

  /** Writes the job where {@code table} is. */
  void write(StepKernel kernel, ByteBuffer table) {
    low.forEach(table::putInt);
    high.forEach(table::putInt);
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      table.putInt(safe(kernel, axis, true));
    }
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      table.putInt(safe(kernel, axis, false));
    }
    Cover cover = cover(kernel.dimensions());
    table.putInt(cover.tiles()).putInt(cover.chunks()).putInt(cover.shift()).putInt(cover.depth());
    for (ArrayView source : sources) {
      table.putLong(source.origin()).putLong(source.row()).putLong(source.plane());
      source.low().forEach(table::putInt);
      for (int axis = 0; axis < ArrayView.AXES; axis++) {
        table.putInt(source.high().get(axis) - source.low().get(axis));
      }
    }
    for (ArrayView result : results) {
      table.putLong(result.origin()).putLong(result.row()).putLong(result.plane());
    }
  }

  /** Returns the first cell whose neighbours are all read as they are, or that beyond the last. */
  private int safe(StepKernel kernel, int axis, boolean first) {
    int bound = first ? low.get(axis) : high.get(axis);
    for (int i = 0; i < sources.size(); i++) {
      ArrayView source = sources.get(i);
      bound =
          first
              ? Math.max(bound, source.low().get(axis) + kernel.before(i).get(axis))
              : Math.min(bound, source.high().get(axis) - kernel.after(i).get(axis));
    }
    return bound;
  }
}
