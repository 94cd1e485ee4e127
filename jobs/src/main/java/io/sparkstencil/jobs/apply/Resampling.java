/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.first;
import static org.apache.spark.sql.functions.last;
import static org.apache.spark.sql.functions.lead;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.when;

import io.sparkstencil.jobs.apply.TidyOptions.Fill;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * Rows at equal steps of the order column, from the first to the last row of each series. A step
 * has the means of the columns over its rows, from its begin to before the next one.
 *
 * @param request which columns are read, and what orders them
 * @param step the distance between steps
 * @param fill what stands where a step has no value
 * @param place the column that orders rows of equal order values
 */
record Resampling(ApplyRequest request, OrderSpan step, Fill fill, String place) {
  /** Steps without rows between two rows of a series: more are taken for a mistake. */
  private static final long MOST_EMPTY = 10_000_000;

  private static final String STEP = "stencil_step";
  private static final String ROW = "stencil_row";
  private static final String MADE = "stencil_made";

  /** Returns the keys, the order column and the columns that are read, at equal steps. */
  Dataset<Row> applyTo(Dataset<Row> table) {
    OrderPositions order =
        new OrderPositions(
            request.orderBy(), ApplyRequest.fieldOf(table.schema(), request.orderBy()).dataType());
    Dataset<Row> steps = withNeighbours(means(table, order));
    Dataset<Row> all =
        steps.withColumn(
            MADE,
            expr(
                "explode(sequence(%1$s, CASE WHEN next - %1$s > %2$d THEN raise_error('%3$s') ELSE coalesce(next - 1, %1$s) END))"
                    .formatted(
                        STEP,
                        MOST_EMPTY,
                        "--resample %s makes more than %,d steps between two neighbouring rows; use a longer step"
                            .formatted(step.text().replace("'", ""), MOST_EMPTY))));
    List<Column> columns = new ArrayList<>(List.of(keys()));
    columns.add(order.stepBegin(MADE, step).as(request.orderBy()));
    List<String> sources = request.sources();
    for (int i = 0; i < sources.size(); i++) {
      columns.add(filled(i).as(sources.get(i)));
    }
    return all.select(columns.toArray(Column[]::new));
  }

  /** Returns one row for each step that has rows, with the means of the columns. */
  private Dataset<Row> means(Dataset<Row> table, OrderPositions order) {
    Column time = ApplyRequest.quoted(request.orderBy());
    Column[] keys = keys();
    Column[] group = Stream.concat(Stream.of(keys), Stream.of(col(STEP))).toArray(Column[]::new);
    WindowSpec rows = Window.partitionBy(group).orderBy(time, col(place));
    WindowSpec whole = rows.rowsBetween(Window.unboundedPreceding(), Window.unboundedFollowing());
    List<Column> columns = new ArrayList<>(List.of(group));
    columns.add(row_number().over(rows).as(ROW));
    List<String> sources = request.sources();
    for (int i = 0; i < sources.size(); i++) {
      columns.add(avg(ApplyRequest.quoted(sources.get(i))).over(whole).as("value" + i));
    }
    return table
        .where(time.isNotNull())
        .withColumn(STEP, order.stepNumber(step))
        .where(col(STEP).isNotNull())
        .select(columns.toArray(Column[]::new))
        .where(col(ROW).equalTo(1))
        .drop(ROW);
  }

  /** Adds the next step that has rows, and the steps beside that have values. */
  private Dataset<Row> withNeighbours(Dataset<Row> steps) {
    WindowSpec series = Window.partitionBy(keys()).orderBy(col(STEP));
    List<Column> columns =
        new ArrayList<>(List.of(col("*"), lead(col(STEP), 1).over(series).as("next")));
    WindowSpec before = series.rowsBetween(Window.unboundedPreceding(), Window.currentRow());
    WindowSpec after = series.rowsBetween(1, Window.unboundedFollowing());
    for (int i = 0; i < request.sources().size() && fill != Fill.NONE; i++) {
      Column value = col("value" + i);
      Column at = when(value.isNotNull(), col(STEP));
      columns.add(last(value, true).over(before).as("previous" + i));
      if (fill == Fill.LINEAR) {
        columns.add(last(at, true).over(before).as("previousStep" + i));
        columns.add(first(value, true).over(after).as("following" + i));
        columns.add(first(at, true).over(after).as("followingStep" + i));
      }
    }
    return steps.select(columns.toArray(Column[]::new));
  }

  private Column filled(int i) {
    Column measured = when(col(MADE).equalTo(col(STEP)), col("value" + i));
    return switch (fill) {
      case NONE -> measured;
      case PREVIOUS -> col("previous" + i);
      case LINEAR ->
          expr(
              "CASE WHEN %2$s = %3$s AND value%1$d IS NOT NULL THEN value%1$d ELSE previous%1$d + (following%1$d - previous%1$d) * ((%2$s - previousStep%1$d) / (followingStep%1$d - previousStep%1$d)) END"
                  .formatted(i, MADE, STEP));
    };
  }

  private Column[] keys() {
    return request.partitionBy().stream().map(ApplyRequest::quoted).toArray(Column[]::new);
  }
}
