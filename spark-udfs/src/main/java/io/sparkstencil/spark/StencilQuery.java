/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.plan.DatasetPlans;
import io.sparkstencil.spark.exec.ColumnOperation;
import io.sparkstencil.spark.exec.FrameOperation;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Stencils over the rows of a dataset in the order of some columns. Immutable: every method returns
 * a new query. Nothing runs before an action on {@link #toDataset}.
 *
 * <p>The result columns have the types of Spark's aggregates: double for means, weighted sums and
 * sums of float and double, bigint for counts and sums of integers, the column's own for minima and
 * maxima.
 *
 * <pre>{@code
 * Dataset<Row> results =
 *     Stencils.over(readings)
 *         .orderBy("t")
 *         .partitionBy("station")
 *         .max("v", 6, 0, "peak") // of the row and the 6 before it
 *         .apply("v", StandardStencils.gaussian(2.5).withBoundary(Boundary.REFLECT), "smooth")
 *         .toDataset();
 * }</pre>
 */
public final class StencilQuery {
  private final Dataset<Row> input;
  private List<String> partitionBy = List.of();
  private List<String> orderBy = List.of();
  private List<DatasetPlans.NamedStencil> stencils = List.of();
  private boolean ordered;
  private String engine = Engines.AUTO;
  private Boundary boundary = Boundary.DEFAULT;
  private Accuracy accuracy = Accuracy.EXACT;

  StencilQuery(Dataset<Row> input) {
    this.input = requireNonNull(input, "dataset is null");
  }

  /** Returns a copy with a change: nobody else sees a query change. */
  private StencilQuery with(Consumer<StencilQuery> change) {
    StencilQuery copy = new StencilQuery(input);
    copy.partitionBy = partitionBy;
    copy.orderBy = orderBy;
    copy.stencils = stencils;
    copy.ordered = ordered;
    copy.engine = engine;
    copy.boundary = boundary;
    copy.accuracy = accuracy;
    change.accept(copy);
    return copy;
  }

  /** Orders the rows by columns, ascending, nulls first. Required. */
  public StencilQuery orderBy(String... columns) {
    List<String> order = named(columns, "order column");
    return with(query -> query.orderBy = order);
  }

  /** Makes a series of the rows that have equal values in these columns; nulls count as equal. */
  public StencilQuery partitionBy(String... columns) {
    List<String> keys = named(columns, "key column");
    return with(query -> query.partitionBy = keys);
  }

  private static List<String> named(String[] columns, String what) {
    for (String column : requireNonNull(columns, what + "s is null")) {
      requireNonNull(column, what + " is null");
    }
    return List.of(columns);
  }

  /**
   * Promises that the rows of the input are in order already: by the keys of the series, then by
   * the order columns. Nothing is shuffled then. Files are taken in the order of their paths, where
   * digits compare as numbers. The order is checked as rows go by, and the first row out of order
   * fails the job with a {@link io.sparkstencil.error.BadDataException} that names file, row and
   * values.
   */
  public StencilQuery ordered() {
    return with(query -> query.ordered = true);
  }

  /**
   * Selects the engine.
   *
   * @param name {@code auto}, {@code cpu}, {@code gpu} or {@code reference}
   */
  public StencilQuery engine(String name) {
    String wanted = Engines.parseName(name);
    return with(query -> query.engine = wanted);
  }

  /**
   * Sets the boundary of the stencils that the shorthand methods add from here on.
   *
   * @param name as {@link Boundary#parse} takes it; {@code shrink} until set
   */
  public StencilQuery boundary(String name) {
    Boundary wanted = Boundary.parse(name);
    return with(query -> query.boundary = wanted);
  }

  /**
   * Sets the accuracy of the stencils that the shorthand methods add from here on.
   *
   * @param name {@code exact}, {@code fma} or {@code fast}; exact until set
   */
  public StencilQuery accuracy(String name) {
    Accuracy wanted = Accuracy.parse(name);
    return with(query -> query.accuracy = wanted);
  }

  /**
   * Adds a stencil over a column.
   *
   * @param column a column of tinyint, smallint, int, bigint, float or double
   * @param stencil the stencil, with its own boundary and accuracy
   * @param as the name of the result column
   */
  public StencilQuery apply(String column, Stencil stencil, String as) {
    return apply(column, new FrameOperation(stencil, SumOverflow.WRAP), as);
  }

  /**
   * Adds a program over a column: each series is an array of the program's field. Values of float
   * are computed as float, all others as double. A result is null where it depends on a null.
   *
   * @param column a column of tinyint, smallint, int, bigint, float or double
   * @param program the program, with its own boundary and accuracy
   * @param as the name of the result column
   */
  public StencilQuery apply(String column, ColumnProgram program, String as) {
    return apply(column, requireNonNull(program, "program is null").series(), as);
  }

  private StencilQuery apply(String column, ColumnOperation operation, String as) {
    List<DatasetPlans.NamedStencil> more = new ArrayList<>(stencils);
    more.add(
        new DatasetPlans.NamedStencil(
            requireNonNull(column, "column is null"), operation, requireNonNull(as, "as is null")));
    return with(query -> query.stencils = List.copyOf(more));
  }

  private StencilQuery shorthand(String column, Stencil stencil, String as) {
    return apply(column, stencil.withBoundary(boundary).withAccuracy(accuracy), as);
  }

  /** Adds the mean over {@code radius} rows on both sides. */
  public StencilQuery mean(String column, int radius, String as) {
    return shorthand(column, Stencil.mean(Frame.radius(radius)), as);
  }

  /** Adds the mean from {@code preceding} rows before to {@code following} rows after. */
  public StencilQuery mean(String column, int preceding, int following, String as) {
    return shorthand(column, Stencil.mean(Frame.precedingFollowing(preceding, following)), as);
  }

  /** Adds the sum over {@code radius} rows on both sides. */
  public StencilQuery sum(String column, int radius, String as) {
    return shorthand(column, Stencil.sum(Frame.radius(radius)), as);
  }

  /** Adds the sum from {@code preceding} rows before to {@code following} rows after. */
  public StencilQuery sum(String column, int preceding, int following, String as) {
    return shorthand(column, Stencil.sum(Frame.precedingFollowing(preceding, following)), as);
  }

  /** Adds the minimum over {@code radius} rows on both sides. */
  public StencilQuery min(String column, int radius, String as) {
    return shorthand(column, Stencil.min(Frame.radius(radius)), as);
  }

  /** Adds the minimum from {@code preceding} rows before to {@code following} rows after. */
  public StencilQuery min(String column, int preceding, int following, String as) {
    return shorthand(column, Stencil.min(Frame.precedingFollowing(preceding, following)), as);
  }

  /** Adds the maximum over {@code radius} rows on both sides. */
  public StencilQuery max(String column, int radius, String as) {
    return shorthand(column, Stencil.max(Frame.radius(radius)), as);
  }

  /** Adds the maximum from {@code preceding} rows before to {@code following} rows after. */
  public StencilQuery max(String column, int preceding, int following, String as) {
    return shorthand(column, Stencil.max(Frame.precedingFollowing(preceding, following)), as);
  }

  /** Adds the number of values that are not null over {@code radius} rows on both sides. */
  public StencilQuery count(String column, int radius, String as) {
    return shorthand(column, Stencil.count(Frame.radius(radius)), as);
  }

  /** Adds the number of values from {@code preceding} rows before to {@code following} after. */
  public StencilQuery count(String column, int preceding, int following, String as) {
    return shorthand(column, Stencil.count(Frame.precedingFollowing(preceding, following)), as);
  }

  /**
   * Adds the weighted sum over a symmetric frame.
   *
   * @param weights an odd number of weights, lowest offset first
   */
  public StencilQuery weighted(String column, double[] weights, String as) {
    requireNonNull(weights, "weights is null");
    if (weights.length % 2 == 0) {
      throw new InvalidStencilException(
          "%d weights have no middle; give an odd number, or say how many rows precede"
              .formatted(weights.length));
    }
    return weighted(column, weights.length / 2, weights, as);
  }

  /**
   * Adds the weighted sum over a frame that starts {@code preceding} rows before.
   *
   * @param weights one weight per row, lowest offset first
   */
  public StencilQuery weighted(String column, int preceding, double[] weights, String as) {
    requireNonNull(weights, "weights is null");
    Frame frame = Frame.offsets(-preceding, weights.length - 1 - preceding);
    return shorthand(column, Stencil.weighted(frame, weights), as);
  }

  /**
   * Returns the input's columns and the results, in order.
   *
   * @throws InvalidStencilException if the order or the stencils are missing, or a column is not
   *     there or has the wrong type
   */
  public Dataset<Row> toDataset() {
    if (input.isStreaming()) {
      throw new InvalidStencilException(
          "the dataset is a stream, whose rows to come a frame would have to wait for; apply"
              + " stencils to each batch in foreachBatch, or to what the stream has written");
    }
    if (orderBy.isEmpty()) {
      throw new InvalidStencilException(
          "stencils need an order of the rows; name at least one column to order by");
    }
    if (stencils.isEmpty()) {
      throw new InvalidStencilException("there is no stencil; add one, such as a mean");
    }
    boolean wraps = stencils.stream().anyMatch(s -> s.operation().wraps());
    if (wraps && ordered && !partitionBy.isEmpty()) {
      throw new InvalidStencilException(
          "boundary wrap needs both ends of a series in one task, but an ordered input with"
              + " partition keys is read in parts; leave out ordered, or use another boundary");
    }
    return DatasetPlans.stencils(input, partitionBy, orderBy, stencils, ordered, engine);
  }
}
