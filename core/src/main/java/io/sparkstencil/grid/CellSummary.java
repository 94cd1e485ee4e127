/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.io.Serializable;

/**
 * What is known about some cells of a field together. Summaries of parts can be put together in any
 * order, with the same bits. NaN is counted and left out of all else.
 *
 * <pre>{@code
 * CellSummary summary = new CellSummary();
 * summary.add(new double[] {1, Double.NaN, 3});
 * double sum = summary.sum(); // 4.0
 * long missing = summary.missing(); // 1
 * }</pre>
 */
public final class CellSummary implements Serializable {
  private static final long serialVersionUID = 1L;

  private long numbers;
  private long missing;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private final ExactSum sum = new ExactSum();
  private final ExactSum squares = new ExactSum();

  /** Adds the cells of an array of float or double. */
  public void add(Object cells) {
    if (cells instanceof float[] floats) {
      for (float cell : floats) {
        add(cell);
      }
    } else {
      for (double cell : (double[]) cells) {
        add(cell);
      }
    }
  }

  private void add(double cell) {
    if (Double.isNaN(cell)) {
      missing++;
      return;
    }
    numbers++;
    takeExtremes(cell, cell);
    sum.add(cell);
    squares.addSquare(cell);
  }

  /** Adds the cells of another summary. */
  public void add(CellSummary other) {
    numbers += other.numbers;
    missing += other.missing;
    takeExtremes(other.min, other.max);
    sum.add(other.sum);
    squares.add(other.squares);
  }

  private void takeExtremes(double low, double high) {
    min = Double.compare(low, min) < 0 ? low : min;
    max = Double.compare(high, max) > 0 ? high : max;
  }

  /** Returns how many cells are NaN. */
  public long missing() {
    return missing;
  }

  /** Returns the smallest cell that is not NaN; NaN if all are. */
  public double min() {
    return numbers == 0 ? Double.NaN : min;
  }

  /** Returns the greatest cell that is not NaN; NaN if all are. */
  public double max() {
    return numbers == 0 ? Double.NaN : max;
  }

  /** Returns the exact sum of the cells that are not NaN, rounded once. */
  public double sum() {
    return sum.value();
  }

  /** Returns the square root of the exact sum of squares of the cells that are not NaN. */
  public double norm() {
    return Math.sqrt(squares.value());
  }
}
