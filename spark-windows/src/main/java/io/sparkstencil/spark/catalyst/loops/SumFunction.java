/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.frames.WideSum;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A function that adds what is not null, and is null where there is nothing. */
abstract class SumFunction extends CumulativeFunction {
  private final int column;
  private long number; // of values

  /**
   * Creates the function.
   *
   * @param column the column of its values
   */
  SumFunction(int column) {
    this.column = column;
  }

  final int column() {
    return column;
  }

  final long number() {
    return number;
  }

  @Override
  void begin(long rows) {
    number = 0;
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    byte[] validity = slice.columns()[column].validity();
    for (int i = from; validity != null && i < until; i++) {
      number += validity[i];
    }
    number += validity == null ? until - from : 0;
  }

  /** Goes on from a number of values; of sums it only matters whether there is one. */
  final void resume(long values) {
    number = values;
  }

  /** Counts a row, which becomes null if there is no value yet. */
  final void count(CellColumn values, int row, CellColumn to, int at) {
    number += values.isNull(row) ? 0 : 1;
    if (number == 0) {
      to.setNull(at);
    }
  }

  @Override
  boolean hasValue() {
    return number > 0;
  }

  /** The sum of floating-point numbers, which is never -0.0, so that 0 is nothing; or the mean. */
  static final class Doubles extends SumFunction {
    private final boolean mean;
    private double sum;

    Doubles(int column, boolean mean) {
      super(column);
      this.mean = mean;
    }

    @Override
    void begin(long rows) {
      super.begin(rows);
      sum = 0;
    }

    /** Goes on from a sum; of a mean also from the number of values. */
    @Override
    void resume(Object[] buffer) {
      sum = buffer[0] == null ? 0 : (double) buffer[0];
      resume(mean ? (long) buffer[1] : buffer[0] == null ? 0 : 1);
    }

    @Override
    void add(SeriesSlice slice, int from, int until) {
      super.add(slice, from, until);
      double[] values = (double[]) slice.columns()[column()].array();
      for (int i = from; i < until; i++) {
        sum += values[i];
      }
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      Arrays.fill((double[]) to.array(), from, until, value());
    }

    private double value() {
      return mean ? sum / number() : sum;
    }

    @Override
    void run(SeriesSlice slice, int from, int until, CellColumn to) {
      CellColumn column = slice.columns()[column()];
      double[] values = (double[]) column.array();
      int at = to.reserve(until - from);
      double[] sums = (double[]) to.array();
      for (int i = from; i < until; i++, at++) {
        count(column, i, to, at);
        sum += values[i];
        sums[at] = value();
      }
    }
  }

  /** The sum of integers, which wraps or must not overflow after any row. */
  static final class Longs extends SumFunction {
    private final boolean checked;
    private long sum;
    private boolean overflowed;
    private boolean[] overflows; // of the results, or null

    Longs(int column, boolean checked) {
      super(column);
      this.checked = checked;
    }

    @Override
    void begin(long rows) {
      super.begin(rows);
      sum = 0;
      overflowed = false;
    }

    /** Goes on from a sum and, where that may be null for overflow, whether there is none. */
    @Override
    void resume(Object[] buffer) {
      sum = buffer[0] == null ? 0 : (long) buffer[0];
      boolean none = buffer.length > 1 ? (boolean) buffer[1] : buffer[0] == null;
      resume(none ? 0 : 1);
    }

    @Override
    void open() {
      overflows = null;
    }

    @Override
    boolean[] overflows() {
      return overflows;
    }

    @Override
    void add(SeriesSlice slice, int from, int until) {
      super.add(slice, from, until);
      long[] values = (long[]) slice.columns()[column()].array();
      for (int i = from; i < until; i++) {
        add(values[i]);
      }
    }

    private void add(long value) {
      long next = sum + value;
      overflowed |= checked && ((sum ^ next) & (value ^ next)) < 0;
      sum = next;
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      Arrays.fill((long[]) to.array(), from, until, sum);
      if (overflowed) {
        fail(from, until, to);
      }
    }

    /** Says that the sums of rows overflow, as those of all rows after them in the series do. */
    private void fail(int from, int until, CellColumn to) {
      int rows = ((long[]) to.array()).length;
      overflows = overflows == null ? new boolean[rows] : Arrays.copyOf(overflows, rows);
      Arrays.fill(overflows, from, until, true);
    }

    @Override
    void run(SeriesSlice slice, int from, int until, CellColumn to) {
      CellColumn column = slice.columns()[column()];
      long[] values = (long[]) column.array();
      int at = to.reserve(until - from);
      int end = at + until - from;
      long[] sums = (long[]) to.array();
      int failing = overflowed ? at : end; // the first row that fails
      for (int i = from; i < until; i++, at++) {
        count(column, i, to, at);
        add(values[i]);
        sums[at] = sum;
        failing = overflowed && failing == end ? at : failing;
      }
      if (overflowed) {
        fail(failing, end, to);
      }
    }
  }

  /** The sum of decimals that are a long each, or the mean. */
  static final class Decimals extends SumFunction {
    private final DecimalResults results;
    private final WideSum sum = new WideSum();

    Decimals(int column, DecimalResults results) {
      super(column);
      this.results = results;
    }

    /** Goes on from a sum and whether there is none, or, of a mean, the number of values. */
    @Override
    void resume(Object[] buffer) {
      sum.clear();
      if (buffer[0] != null) {
        sum.add(((Decimal) buffer[0]).toJavaBigDecimal().unscaledValue());
      }
      resume(buffer[1] instanceof Long values ? values : (boolean) buffer[1] ? 0 : 1);
    }

    @Override
    void open() {
      results.open();
    }

    @Override
    ColumnVector vector(CellColumn cells, int rows) {
      return results.vector(cells, rows);
    }

    @Override
    void begin(long rows) {
      super.begin(rows);
      sum.clear();
    }

    @Override
    void add(SeriesSlice slice, int from, int until) {
      super.add(slice, from, until);
      long[] values = (long[]) slice.columns()[column()].array();
      for (int i = from; i < until; i++) {
        sum.add(values[i]);
      }
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      results.fill(sum, number(), to, from, until);
    }
  }
}
