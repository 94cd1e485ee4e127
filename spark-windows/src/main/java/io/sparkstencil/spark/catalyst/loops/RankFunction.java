/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;

/** A rank, which depends on the places of rows alone. */
abstract class RankFunction extends CumulativeFunction {
  private long row; // the last row, the first of a series being 1
  private long rows; // of the series

  final long row() {
    return row;
  }

  final long rows() {
    return rows;
  }

  @Override
  final void begin(long ofSeries) {
    row = 0;
    rows = ofSeries;
    begin();
  }

  /** Begins with a series. */
  void begin() {}

  /** Goes on from the number of the last row, with which the next does not tie. */
  final void resume(int last) {
    row = last;
  }

  /** Goes on from the number of the last row, unless a rank says otherwise. */
  @Override
  void resume(Object[] buffer) {
    resume((int) buffer[0]);
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    for (int i = from; i < until; i++) {
      row++;
      step(slice.opens()[i]);
    }
  }

  /** Counts rows whose ties do not matter. */
  final void skip(int count) {
    row += count;
  }

  /** Moves to the next row, which is {@link #row}. */
  abstract void step(boolean opens);

  /** A rank that is a whole number. */
  abstract static class Whole extends RankFunction {
    abstract int rank();

    @Override
    final void fill(CellColumn to, int from, int until) {
      Arrays.fill((int[]) to.array(), from, until, rank());
    }

    @Override
    final void run(SeriesSlice slice, int from, int until, CellColumn to) {
      int at = to.reserve(until - from);
      int[] ranks = (int[]) to.array();
      for (int i = from; i < until; i++) {
        skip(1);
        step(slice.opens()[i]);
        ranks[at++] = rank();
      }
    }
  }

  /** The number of the row. */
  static final class RowNumber extends Whole {
    @Override
    void step(boolean opens) {}

    @Override
    int rank() {
      return (int) row();
    }
  }

  /** The number of the first row that ties. */
  static final class Rank extends Whole {
    private int rank;

    @Override
    void resume(Object[] buffer) {
      resume((int) buffer[1] - 1);
    }

    @Override
    void step(boolean opens) {
      rank = opens ? (int) row() : rank;
    }

    @Override
    int rank() {
      return rank;
    }
  }

  /** The number of rows that do not tie. */
  static final class DenseRank extends Whole {
    private int rank;

    @Override
    void begin() {
      rank = 0;
    }

    @Override
    void resume(Object[] buffer) {
      rank = (int) buffer[0];
    }

    @Override
    void step(boolean opens) {
      rank += opens ? 1 : 0;
    }

    @Override
    int rank() {
      return rank;
    }
  }

  /** The number of the bucket; buckets have as many rows as others, or the first one more. */
  static final class Tile extends Whole {
    private final int buckets;
    private int bucket;
    private long last; // row of the bucket

    Tile(int buckets) {
      this.buckets = buckets;
    }

    @Override
    void begin() {
      bucket = 0;
      last = 0;
    }

    @Override
    void resume(Object[] buffer) {
      resume((int) buffer[0]);
      bucket = (int) buffer[1];
      last = (int) buffer[2];
    }

    @Override
    void step(boolean opens) {
      if (row() > last) {
        last += rows() / buckets + (bucket < rows() % buckets ? 1 : 0);
        bucket++;
      }
    }

    @Override
    int rank() {
      return bucket;
    }
  }

  /** A rank that is a part of the series. */
  abstract static class Part extends RankFunction {
    abstract double part();

    @Override
    final void fill(CellColumn to, int from, int until) {
      Arrays.fill((double[]) to.array(), from, until, part());
    }
  }

  /** The part of the other rows that comes before the first row that ties. */
  static final class PercentRank extends Part {
    private long rank;

    @Override
    void resume(Object[] buffer) {
      resume((int) buffer[1] - 1);
    }

    @Override
    void step(boolean opens) {
      rank = opens ? row() : rank;
    }

    @Override
    double part() {
      return rows() > 1 ? (double) (rank - 1) / (double) (rows() - 1) : 0.0;
    }
  }

  /** The part of the rows up to the last that ties. */
  static final class CumulativePart extends Part {
    @Override
    void add(SeriesSlice slice, int from, int until) {
      skip(until - from);
    }

    @Override
    void step(boolean opens) {}

    @Override
    double part() {
      return (double) row() / (double) rows();
    }
  }
}
