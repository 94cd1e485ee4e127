/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

/**
 * The loop that one would write: five points of doubles in one expression, in arrays with a rim of
 * zeros, step after step.
 */
final class PlainFivePoints {
  private final int size;
  private final double[] weights;

  /**
   * Describes the loop.
   *
   * @param size the rows, and the columns, without the rim
   * @param weights those of the cells above, left, here, right and below
   */
  PlainFivePoints(int size, double[] weights) {
    this.size = size;
    this.weights = weights.clone();
  }

  /** Returns cells with a rim around them. */
  double[] withRim(double[] cells) {
    double[] padded = new double[(size + 2) * (size + 2)];
    for (int row = 0; row < size; row++) {
      System.arraycopy(cells, row * size, padded, (row + 1) * (size + 2) + 1, size);
    }
    return padded;
  }

  /** Returns the cells after some steps; {@code field}, with its rim, is overwritten. */
  double[] run(double[] field, int steps, int threads) {
    double[] other = new double[field.length];
    CyclicBarrier allHaveStepped = new CyclicBarrier(threads);
    Thread[] others =
        IntStream.range(1, threads)
            .mapToObj(i -> new Thread(() -> steps(field, other, steps, i, allHaveStepped)))
            .toArray(Thread[]::new);
    Arrays.stream(others).forEach(Thread::start);
    steps(field, other, steps, 0, allHaveStepped);
    try {
      for (Thread thread : others) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    return steps % 2 == 0 ? field : other;
  }

  private void steps(double[] field, double[] other, int steps, int part, CyclicBarrier barrier) {
    int parts = barrier.getParties();
    int first = 1 + (int) ((long) size * part / parts);
    int last = 1 + (int) ((long) size * (part + 1) / parts);
    for (int step = 0; step < steps; step++) {
      boolean even = step % 2 == 0;
      step(even ? field : other, even ? other : field, first, last);
      try {
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new IllegalStateException("a thread of the plain loop was stopped", e);
      }
    }
  }

  private void step(double[] from, double[] to, int firstRow, int lastRow) {
    double up = weights[0];
    double left = weights[1];
    double here = weights[2];
    double right = weights[3];
    double down = weights[4];
    int width = size + 2;
    for (int row = firstRow; row < lastRow; row++) {
      for (int i = row * width + 1; i < row * width + 1 + size; i++) {
        to[i] =
            up * from[i - width]
                + left * from[i - 1]
                + here * from[i]
                + right * from[i + 1]
                + down * from[i + width];
      }
    }
  }

  /** Returns how many cells differ from those of a field with a rim. */
  long different(double[] cells, double[] padded) {
    return IntStream.range(0, size)
        .parallel()
        .mapToLong(
            row -> {
              int at = (row + 1) * (size + 2) + 1;
              return Arrays.equals(cells, row * size, (row + 1) * size, padded, at, at + size)
                  ? 0
                  : size;
            })
        .sum();
  }
}
