/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** A function of floating-point numbers. */
abstract class DoubleFunction extends FrameFunction {
  private double[] values = new double[0];

  DoubleFunction() {}

  DoubleFunction(PositionQueue queue) {
    super(queue);
  }

  final double[] values() {
    return values;
  }

  @Override
  void resize(int length) {
    super.resize(length);
    values = Arrays.copyOf(values, length);
  }

  @Override
  void moveToFront(int from, int length) {
    super.moveToFront(from, length);
    System.arraycopy(values, from, values, 0, length);
  }

  @Override
  void put(int at, UnsafeRow cells, int column) {
    values[at] = cells.getDouble(column);
  }

  @Override
  final void putNull(int at) {
    values[at] = 0;
  }

  /**
   * Adds from the first cell to the last, as Spark does. The sum is never -0.0, so 0 is nothing.
   */
  private abstract static class Adding extends DoubleFunction {
    final double sum(int first, int end) {
      double[] cells = values();
      double sum = 0;
      for (int i = first; i < end; i++) {
        sum += cells[i];
      }
      return sum;
    }
  }

  /** The sum. */
  static final class Sum extends Adding {
    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      target.setDouble(ordinal, sum(first, end));
    }
  }

  /** The sum by the number. */
  static final class Mean extends Adding {
    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      target.setDouble(ordinal, sum(first, end) / count());
    }
  }

  /**
   * The variance or its root. The sum of squared differences from the mean grows cell by cell, and
   * the mean with it, as in Spark.
   */
  static final class Variance extends DoubleFunction {
    private final boolean sample;
    private final boolean root;
    private final boolean nullOfOne;

    private Variance(boolean sample, boolean root, boolean nullOfOne) {
      this.sample = sample;
      this.root = root;
      this.nullOfOne = nullOfOne;
    }

    /**
     * Returns the function that divides by the number of cells.
     *
     * @param root whether the standard deviation is wanted
     */
    static Variance ofAll(boolean root) {
      return new Variance(false, root, false);
    }

    /**
     * Returns the function that divides by one less than the number of cells.
     *
     * @param root whether the standard deviation is wanted
     * @param nullOfOne whether one cell has null, and not NaN
     */
    static Variance ofSample(boolean root, boolean nullOfOne) {
      return new Variance(true, root, nullOfOne);
    }

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      if (!sample) {
        write(squares(first, end) / count(), target, ordinal);
      } else if (count() > 1) {
        write(squares(first, end) / (count() - 1), target, ordinal);
      } else if (nullOfOne) {
        target.setNullAt(ordinal);
      } else {
        target.setDouble(ordinal, Double.NaN);
      }
    }

    private void write(double variance, SpecificInternalRow target, int ordinal) {
      target.setDouble(ordinal, root ? Math.sqrt(variance) : variance);
    }

    private double squares(int first, int end) {
      double[] cells = values();
      double number = 0;
      double mean = 0;
      double squares = 0;
      for (int i = first; i < end; i++) {
        if (isPresent(i)) {
          number++;
          double difference = cells[i] - mean;
          double step = difference / number;
          mean += step;
          squares += difference * (difference - step);
        }
      }
      return squares;
    }
  }

  /**
   * The least or greatest number, the first of those that are equal, as zeros of either sign are.
   */
  static final class Extreme extends DoubleFunction {
    private final boolean least;
    private final boolean single;

    /**
     * Creates the function.
     *
     * @param least whether the least number is wanted, not the greatest
     * @param single whether the numbers are floats
     */
    Extreme(boolean least, boolean single) {
      super(new PositionQueue());
      this.least = least;
      this.single = single;
    }

    @Override
    void put(int at, UnsafeRow cells, int column) {
      values()[at] = single ? cells.getFloat(column) : cells.getDouble(column);
    }

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      double extreme = values()[extreme()];
      if (single) {
        target.setFloat(ordinal, (float) extreme);
      } else {
        target.setDouble(ordinal, extreme);
      }
    }

    /** NaN is greater than all numbers. */
    @Override
    boolean surpasses(int one, int other) {
      // adding 0 makes zeros equal
      int order = Double.compare(values()[one] + 0.0, values()[other] + 0.0);
      return least ? order < 0 : order > 0;
    }
  }
}
