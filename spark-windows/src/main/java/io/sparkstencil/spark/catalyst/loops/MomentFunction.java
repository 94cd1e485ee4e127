/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.aggregate.Corr;

/**
 * A function of the differences of numbers from their mean, or of pairs of numbers from theirs,
 * which grow row by row as in Spark. Rows that lack a number do not count.
 */
final class MomentFunction extends CumulativeFunction {
  /** What becomes of the sums of products of differences. */
  enum Result {
    VARIANCE,
    DEVIATION,
    CORRELATION
  }

  private final int x; // column
  private final int y; // less than 0 for a function of single numbers
  private final Result result;
  private final boolean sample;
  private final boolean nullOfOne;
  private final Corr correlation; // null of another function
  private UnsafeProjection evaluate; // null until it is needed
  private double number;
  private double xMean;
  private double yMean;
  private double products; // sums of these
  private double xSquares;
  private double ySquares;

  /**
   * Creates the function.
   *
   * @param y the column of the second numbers; less than 0 for a function of single numbers
   * @param sample whether sums are divided by one less than the number of rows
   * @param nullOfOne whether one row has null, and not NaN, if it has no such value
   * @param correlation what Spark says of a division by zero; null of another function
   */
  MomentFunction(int x, int y, Result result, boolean sample, boolean nullOfOne, Corr correlation) {
    this.x = x;
    this.y = y;
    this.result = result;
    this.sample = sample;
    this.nullOfOne = nullOfOne;
    this.correlation = correlation;
  }

  @Override
  void begin(long rows) {
    number = 0;
    xMean = 0;
    yMean = 0;
    products = 0;
    xSquares = 0;
    ySquares = 0;
  }

  @Override
  void resume(Object[] buffer) {
    number = (double) buffer[0];
    xMean = (double) buffer[1];
    if (y < 0) {
      products = (double) buffer[2];
      return;
    }
    yMean = (double) buffer[2];
    products = (double) buffer[3];
    if (result == Result.CORRELATION) {
      xSquares = (double) buffer[4];
      ySquares = (double) buffer[5];
    }
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    CellColumn xs = slice.columns()[x];
    CellColumn ys = slice.columns()[y < 0 ? x : y];
    double[] xCells = (double[]) xs.array();
    double[] yCells = (double[]) ys.array();
    for (int i = from; i < until; i++) {
      if (!xs.isNull(i) && !ys.isNull(i)) {
        if (y < 0) {
          add(xCells[i]);
        } else {
          add(xCells[i], yCells[i]);
        }
      }
    }
  }

  private void add(double cell) {
    number++;
    double difference = cell - xMean;
    double step = difference / number;
    xMean += step;
    products += difference * (difference - step);
  }

  private void add(double xCell, double yCell) {
    number++;
    double difference = xCell - xMean;
    double mean = xMean + difference / number;
    double yDifference = yCell - yMean;
    yMean += yDifference / number;
    products += difference * (yCell - yMean);
    if (result == Result.CORRELATION) {
      xSquares += difference * (xCell - mean);
      ySquares += yDifference * (yCell - yMean);
    }
    xMean = mean;
  }

  @Override
  boolean hasValue() {
    if (result == Result.CORRELATION) {
      return number > 1 ? xSquares * ySquares != 0 || isNotNullOfZero() : number == 1 && !nullOfOne;
    }
    return number > 1 || (number == 1 && (!sample || !nullOfOne));
  }

  @Override
  void fill(CellColumn to, int from, int until) {
    Arrays.fill((double[]) to.array(), from, until, value());
  }

  private double value() {
    if (number == 1 && (sample || result == Result.CORRELATION)) {
      return Double.NaN;
    } else if (result == Result.CORRELATION) {
      return products / Math.sqrt(xSquares * ySquares);
    }
    double variance = products / (sample ? number - 1 : number);
    return result == Result.DEVIATION ? Math.sqrt(variance) : variance;
  }

  /**
   * Divides by zero, as Spark does: that is null.
   *
   * @throws ArithmeticException if it is an error
   */
  private boolean isNotNullOfZero() {
    if (evaluate == null) {
      evaluate =
          UnsafeProjection.create(
              ScalaInterop.seqOf(correlation.evaluateExpression()),
              ScalaInterop.seq(
                  new ArrayList<Attribute>(ScalaInterop.list(correlation.aggBufferAttributes()))));
    }
    Object[] buffer = {number, xMean, yMean, products, xSquares, ySquares};
    return !evaluate.apply(new GenericInternalRow(buffer)).isNullAt(0);
  }
}
