/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * The SQL functions on arrays as columns of a Dataset.
 *
 * <pre>{@code
 * Column means = ArrayColumns.mean(col("samples"), Frame.radius(8), Boundary.VALID);
 * Dataset<Row> smooth = readings.select(col("id"), means.alias("smooth"));
 * }</pre>
 *
 * <p>The session must have the extensions, which it finds by itself where the jar is on the class
 * path when it starts.
 */
public final class ArrayColumns {
  private ArrayColumns() {}

  /** Returns the moving average of each array. */
  public static Column mean(Column arrays, Frame frame, Boundary boundary) {
    return aggregate(ArrayFunction.MEAN, arrays, frame, boundary);
  }

  /** Returns the moving sum of each array. */
  public static Column sum(Column arrays, Frame frame, Boundary boundary) {
    return aggregate(ArrayFunction.SUM, arrays, frame, boundary);
  }

  /** Returns the sliding minimum of each array. */
  public static Column min(Column arrays, Frame frame, Boundary boundary) {
    return aggregate(ArrayFunction.MIN, arrays, frame, boundary);
  }

  /** Returns the sliding maximum of each array. */
  public static Column max(Column arrays, Frame frame, Boundary boundary) {
    return aggregate(ArrayFunction.MAX, arrays, frame, boundary);
  }

  /** Returns the number of elements that are not null in each frame. */
  public static Column count(Column arrays, Frame frame, Boundary boundary) {
    return aggregate(ArrayFunction.COUNT, arrays, frame, boundary);
  }

  /** Returns sums of elements times weights, the first weight on the leftmost element. */
  public static Column correlate(Column arrays, double[] weights, Boundary boundary) {
    return call(ArrayFunction.CORRELATE, arrays, boundary, numbers(weights));
  }

  /** Returns sums of elements times weights, the first weight on the rightmost element. */
  public static Column convolve(Column arrays, double[] weights, Boundary boundary) {
    return call(ArrayFunction.CONVOLVE, arrays, boundary, numbers(weights));
  }

  /** Returns a derivative by central finite differences. */
  public static Column derivative(
      Column arrays, int order, int accuracy, double spacing, Boundary boundary) {
    return call(
        ArrayFunction.DERIVATIVE,
        arrays,
        boundary,
        functions.lit(order),
        functions.lit(accuracy),
        functions.lit(spacing));
  }

  /** Returns each array smoothed by a Gaussian. */
  public static Column gaussian(Column arrays, double sigma, Boundary boundary) {
    return call(ArrayFunction.GAUSSIAN, arrays, boundary, functions.lit(sigma));
  }

  /** Returns the Savitzky-Golay filter of each array. */
  public static Column savgol(
      Column arrays, int radius, int degree, int derivative, Boundary boundary) {
    return call(
        ArrayFunction.SAVGOL,
        arrays,
        boundary,
        functions.lit(radius),
        functions.lit(degree),
        functions.lit(derivative));
  }

  /** Returns each array after {@code steps} correlations with {@code weights}. */
  public static Column iterate(Column arrays, double[] weights, int steps, Boundary boundary) {
    return call(ArrayFunction.ITERATE, arrays, boundary, numbers(weights), functions.lit(steps));
  }

  private static Column aggregate(
      ArrayFunction function, Column arrays, Frame frame, Boundary boundary) {
    return call(
        function,
        arrays,
        boundary,
        functions.lit(frame.preceding()),
        functions.lit(frame.following()));
  }

  private static Column numbers(double[] values) {
    return functions.array(Arrays.stream(values).mapToObj(functions::lit).toArray(Column[]::new));
  }

  private static Column call(
      ArrayFunction function, Column arrays, Boundary boundary, Column... parameters) {
    List<Column> arguments = new ArrayList<>(List.of(arrays));
    arguments.addAll(List.of(parameters));
    arguments.add(functions.lit(boundary.toString()));
    return functions.call_function(function.sqlName(), arguments.toArray(new Column[0]));
  }
}
