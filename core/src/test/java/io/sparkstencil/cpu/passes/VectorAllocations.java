/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import com.sun.management.ThreadMXBean;
import io.sparkstencil.model.ElementType;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;

/**
 * Runs passes of one kind for long, then of the next, and prints those that leave objects behind
 * when all have run. Its own program, because a compiler's profiles last as long as its JVM.
 */
final class VectorAllocations {
  private static final int CELLS = 8192;
  private static final int WIDEST = 512;
  private static final int[] WIDTHS = {3, 7, 17, 51, 65, 511};

  /** A vector's object and its array come to six bytes per cell or more. */
  private static final double BYTES_PER_CELL = 2;

  /**
   * Time of this thread's on a processor, as of all others: on a busy machine the compiler, which
   * has threads of its own, gets as little of each second as this one does.
   */
  private static final long NANOS_OF_KIND = 200_000_000L;

  /** Vectors are objects until the compiler has seen to it. */
  private static final long MOST_NANOS = 10_000_000_000L;

  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private enum MeasuredPass {
    SUM,
    WEIGHTED_SUM,
    GREATEST,
    LEAST,
    MEAN,
    SLIDING_SUM
  }

  private final Map<ElementType, CellPasses> passes = new EnumMap<>(ElementType.class);
  private final Map<ElementType, Object> cells = new EnumMap<>(ElementType.class);
  private final Map<ElementType, Object> results = new EnumMap<>(ElementType.class);

  private VectorAllocations() {
    for (ElementType type : ElementType.values()) {
      passes.put(type, VectorPasses.of(type));
      cells.put(type, type.newArray(CELLS + WIDEST + CellPasses.SLACK));
      results.put(type, type.newArray(CELLS));
    }
  }

  /** Prints a line for each kind, type and width that allocates. */
  public static void main(String[] arguments) {
    VectorAllocations allocations = new VectorAllocations();
    for (MeasuredPass kind : MeasuredPass.values()) {
      for (ElementType type : ElementType.values()) {
        allocations.runForLong(kind, type);
      }
    }
    for (MeasuredPass kind : MeasuredPass.values()) {
      for (ElementType type : ElementType.values()) {
        for (int width : WIDTHS) {
          double bytes = allocations.leastBytesPerCell(kind, type, width);
          if (bytes > BYTES_PER_CELL) {
            System.out.printf("%s of %d %s: %.3f bytes per cell%n", kind, width, type, bytes);
          }
        }
      }
    }
  }

  private void runForLong(MeasuredPass kind, ElementType type) {
    long end = THREAD.getCurrentThreadCpuTime() + NANOS_OF_KIND;
    for (int run = 0; THREAD.getCurrentThreadCpuTime() < end; run++) {
      run(kind, type, WIDTHS[run % WIDTHS.length]);
    }
  }

  private double leastBytesPerCell(MeasuredPass kind, ElementType type, int width) {
    double least = Double.POSITIVE_INFINITY;
    long end = THREAD.getCurrentThreadCpuTime() + MOST_NANOS;
    while (least > BYTES_PER_CELL && THREAD.getCurrentThreadCpuTime() < end) {
      long before = THREAD.getCurrentThreadAllocatedBytes();
      run(kind, type, width);
      long bytes = THREAD.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, (double) bytes / CELLS);
    }
    return least;
  }

  private void run(MeasuredPass kind, ElementType type, int width) {
    CellPasses made = passes.get(type);
    Object x = cells.get(type);
    Object y = results.get(type);
    switch (kind) {
      case SUM -> made.sum(x, 0, width, 1, y, 0, CELLS);
      case WEIGHTED_SUM -> made.weightedSum(x, 0, x, 0, width, y, 0, CELLS);
      case GREATEST -> made.slidingExtremum(x, 0, width, true, y, 0, CELLS);
      case LEAST -> made.slidingExtremum(x, 0, width, false, y, 0, CELLS);
      case MEAN -> made.sum(x, 0, width, width, y, 0, CELLS);
      case SLIDING_SUM -> made.slidingSum(x, 0, width, width, y, 0, CELLS);
    }
  }
}
