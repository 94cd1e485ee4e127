/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;

/**
 * Stencils over a whole series in memory, one cell at a time, written from the definitions and
 * sharing no code with the engines: what a run over any number of partitions must equal. Values are
 * doubles or null.
 */
public final class ScalarSeries {
  private final Double[] cells;

  public ScalarSeries(Double[] cells) {
    this.cells = cells;
  }

  /** Returns the result for each cell. */
  public Double[] apply(Stencil stencil) {
    Double[] results = new Double[cells.length];
    for (int i = 0; i < results.length; i++) {
      results[i] = at(i, stencil);
    }
    return results;
  }

  private Double at(int i, Stencil stencil) {
    int first = -stencil.frame().preceding();
    int last = stencil.frame().following();
    boolean weighted = stencil.reduction() == Reduction.WEIGHTED_SUM;
    boolean incomplete = false;
    boolean holdsNull = false;
    double sum = 0.0;
    double least = Double.NaN;
    double greatest = Double.NaN;
    int count = 0;
    for (int offset = first; offset <= last; offset++) {
      long place = inside(i + offset, stencil.boundary().mode());
      Double cell;
      if (place >= 0) {
        cell = cells[(int) place];
      } else if (stencil.boundary().mode() == Boundary.Mode.CONSTANT) {
        cell = stencil.boundary().constant();
      } else {
        incomplete = true;
        continue;
      }
      if (cell == null) {
        holdsNull = true;
        continue;
      }
      sum += weighted ? stencil.weights().get(offset - first) * cell : cell;
      least = count == 0 || isLess(cell, least) ? cell : least;
      greatest = count == 0 || isLess(greatest, cell) ? cell : greatest;
      count++;
    }
    if (incomplete && stencil.boundary().mode() == Boundary.Mode.VALID) {
      return null;
    }
    if (stencil.reduction() == Reduction.COUNT) {
      return (double) count;
    }
    if (count == 0 || (weighted && holdsNull)) {
      return null;
    }
    return switch (stencil.reduction()) {
      case MEAN -> sum / count;
      case MIN -> least;
      case MAX -> greatest;
      default -> sum;
    };
  }

  /** NaN is the greatest value; the two zeros are equal. */
  private static boolean isLess(double left, double right) {
    return Double.isNaN(right) ? !Double.isNaN(left) : left < right;
  }

  /** Folds a position into the series step by step; -1 where the rule has no cell for it. */
  private long inside(long position, Boundary.Mode mode) {
    long n = cells.length;
    long j = position;
    while (j < 0 || j >= n) {
      switch (mode) {
        case VALID, SHRINK, CONSTANT -> {
          return -1;
        }
        case NEAREST -> j = j < 0 ? 0 : n - 1;
        case REFLECT -> j = j < 0 ? -1 - j : 2 * n - 1 - j;
        case MIRROR -> j = n == 1 ? 0 : j < 0 ? -j : 2 * n - 2 - j;
        case WRAP -> j = j < 0 ? j + n : j - n;
      }
    }
    return j;
  }
}
