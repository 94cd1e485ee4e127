/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lead;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.TidyOptions.Dedupe;
import io.sparkstencil.jobs.apply.TidyOptions.Fill;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * What puts series right before stencils go over them: one row for each order value, then rows at
 * equal steps.
 *
 * @param dedupe which row counts of several with one order value, or null for all of them
 * @param step the distance between rows that are made, or null for the rows that there are
 * @param fill what stands where a step has no value
 */
record Tidying(Dedupe dedupe, OrderSpan step, Fill fill) {
  /** Leaves rows as they are. */
  static final Tidying NONE = new Tidying(null, null, Fill.NONE);

  /** Where a row stands in the input: file by file in the order of their names, row by row. */
  private static final String PLACE = "stencil_place";

  private static final String KEPT = "stencil_kept";

  boolean resamples() {
    return step != null;
  }

  /** Returns the tidy table. */
  Dataset<Row> applyTo(Dataset<Row> table, ApplyRequest request) {
    if (dedupe == null && step == null) {
      return table;
    }
    request.partitionBy().forEach(key -> ApplyRequest.fieldOf(table.schema(), key));
    if (step != null) {
      step.requireOf(
          request.orderBy(), ApplyRequest.fieldOf(table.schema(), request.orderBy()).dataType());
    }
    Dataset<Row> placed = table.withColumn(PLACE, place(table));
    Dataset<Row> single =
        dedupe == null
            ? placed
            : dedupe == Dedupe.MEAN ? means(placed, request) : ends(placed, request);
    return step == null
        ? single.drop(PLACE)
        : new Resampling(request, step, fill, PLACE).applyTo(single);
  }

  private static Column place(Dataset<Row> table) {
    Column file = table.metadataColumn("_metadata");
    return struct(
        file.getField("file_path").as("file"),
        file.getField("file_block_start").as("block"),
        monotonically_increasing_id().as("row"));
  }

  /** Keeps the first or the last row of each order value; rows without one are kept all. */
  private Dataset<Row> ends(Dataset<Row> table, ApplyRequest request) {
    Column order = ApplyRequest.quoted(request.orderBy());
    WindowSpec series = Window.partitionBy(keys(request)).orderBy(order, col(PLACE));
    Column beside = (dedupe == Dedupe.FIRST ? lag(order, 1) : lead(order, 1)).over(series);
    return table
        .withColumn(KEPT, order.isNull().or(not(beside.eqNullSafe(order))))
        .where(col(KEPT))
        .drop(KEPT);
  }

  /** Joins the rows of each order value: the means of columns, and the rest of the first row. */
  private static Dataset<Row> means(Dataset<Row> table, ApplyRequest request) {
    Column order = ApplyRequest.quoted(request.orderBy());
    List<Column> same = new ArrayList<>(List.of(keys(request)));
    same.add(order);
    WindowSpec places = Window.partitionBy(same.toArray(Column[]::new)).orderBy(col(PLACE));
    WindowSpec all = places.rowsBetween(Window.unboundedPreceding(), Window.unboundedFollowing());
    Dataset<Row> joined = table.withColumn(KEPT, row_number().over(places));
    List<Column> columns = new ArrayList<>();
    for (String name : table.columns()) {
      Column column = ApplyRequest.quoted(name);
      boolean isSource = request.sources().stream().anyMatch(name::equalsIgnoreCase);
      columns.add(
          isSource
              ? when(order.isNull(), column.cast("double"))
                  .otherwise(avg(column).over(all))
                  .as(name)
              : column);
    }
    columns.add(col(KEPT));
    return joined
        .select(columns.toArray(Column[]::new))
        .where(order.isNull().or(col(KEPT).equalTo(1)))
        .drop(KEPT);
  }

  private static Column[] keys(ApplyRequest request) {
    return request.partitionBy().stream().map(ApplyRequest::quoted).toArray(Column[]::new);
  }

  /**
   * Checks that what changes columns can change those that are asked for.
   *
   * @throws InvalidStencilException if a column lies in a struct, which is kept as it is
   */
  void requireColumns(Dataset<Row> table, ApplyRequest request) {
    for (String source : request.sources()) {
      boolean own = List.of(table.columns()).stream().anyMatch(source::equalsIgnoreCase);
      if (dedupe == Dedupe.MEAN && step == null && !own) {
        throw new InvalidStencilException(
            "--dedupe mean changes columns, and %s is a field of one; use first or last, or write the table with a column of its own first"
                .formatted(source));
      }
    }
  }
}
