/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.when;

import io.sparkstencil.jobs.chart.SeriesChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Columns of a table, thinned out by Spark to what a plot can show: where a table has more rows
 * than that, the axis of each series is cut into slots and the least and the greatest value of each
 * slot are drawn, so no spike is lost.
 */
final class PlotSample {
  private static final int MOST_ROWS = 4000;
  private static final int SLOTS = 1000;
  private static final String SERIES = "stencil_series";
  private static final String SLOT = "stencil_slot";

  private final OrderAxis axis;
  private final Dataset<Row> table;
  private final ApplyRequest request;
  private final List<String> columns;
  private final Map<String, String> units;
  private boolean leftOut;

  /**
   * Creates a sample of {@code table}, which holds the results of {@code request}.
   *
   * @param units of the columns that have one
   */
  PlotSample(Dataset<Row> table, ApplyRequest request, Map<String, String> units) {
    this.units = units;
    this.axis = new OrderAxis(table, request.orderBy());
    this.table = axis.table();
    this.request = request;
    this.columns =
        Stream.concat(
                request.columns().stream(),
                request.results().stream().map(ApplyRequest.ResultColumn::name))
            .distinct()
            .toList();
  }

  /**
   * Draws one panel per series and source column.
   *
   * @param rows of the table
   * @param most the series that are drawn, the first in the order of their keys
   */
  SeriesChart chart(long rows, int most) {
    SeriesChart chart = axis.chart();
    SeriesPanels panels = new SeriesPanels(request, columns, units);
    if (rows <= MOST_ROWS) {
      List<Column> read = new ArrayList<>(keys());
      read.add(col(OrderAxis.AXIS));
      read.add(col(OrderAxis.AXIS));
      for (String column : columns) {
        read.add(number(column));
        read.add(number(column));
      }
      List<Row> all = table.select(read.toArray(Column[]::new)).collectAsList();
      leftOut = panels.addTo(chart, all, most);
    } else {
      List<Row> ranges = ranges(most);
      leftOut = ranges.size() > most;
      panels.addTo(chart, slots(ranges.subList(0, Math.min(most, ranges.size()))), most);
    }
    return chart;
  }

  /** Returns whether the chart lacks some series. */
  boolean leftOut() {
    return leftOut;
  }

  private List<Column> keys() {
    return request.partitionBy().stream().map(ApplyRequest::quoted).toList();
  }

  private static Column number(String column) {
    return ApplyRequest.quoted(column).cast("double");
  }

  /** Returns the keys, the number of rows and the range of the axis of some series. */
  private List<Row> ranges(int most) {
    Column[] keys = keys().toArray(Column[]::new);
    return table
        .groupBy(keys)
        .agg(count(OrderAxis.AXIS), min(OrderAxis.AXIS), max(OrderAxis.AXIS))
        .sort(keys)
        .limit(most + 1)
        .collectAsList();
  }

  /** Returns the extremes of each slot of the series in {@code ranges}. */
  private List<Row> slots(List<Row> ranges) {
    List<Column> keys = keys();
    Column series = lit(null).cast("int");
    Column slot = lit(null).cast("double");
    for (int i = 0; i < ranges.size(); i++) {
      Row range = ranges.get(i);
      Column here = lit(true);
      for (int k = 0; k < keys.size(); k++) {
        here = here.and(keys.get(k).eqNullSafe(range.get(k)));
      }
      series = coalesce(series, when(here, lit(i)));
      slot = coalesce(slot, when(here, slotIn(range, keys.size())));
    }
    List<Column> extremes = new ArrayList<>();
    extremes.add(max(OrderAxis.AXIS));
    for (String column : columns) {
      extremes.add(min(number(column)));
      extremes.add(max(number(column)));
    }
    List<Column> groups = new ArrayList<>(keys);
    groups.add(col(SLOT));
    Dataset<Row> grouped =
        table
            .withColumn(SERIES, series)
            .where(col(SERIES).isNotNull())
            .withColumn(SLOT, slot)
            .groupBy(groups.toArray(Column[]::new))
            .agg(min(OrderAxis.AXIS), extremes.toArray(Column[]::new));
    return grouped.drop(SLOT).collectAsList();
  }

  private static Column slotIn(Row range, int at) {
    double first = range.getDouble(at + 1);
    double width = (range.getDouble(at + 2) - first) / SLOTS;
    Column position = col(OrderAxis.AXIS);
    return range.getLong(at) <= MOST_ROWS
        ? position
        : width > 0 ? floor(position.minus(first).divide(width)).cast("double") : lit(0.0);
  }
}
