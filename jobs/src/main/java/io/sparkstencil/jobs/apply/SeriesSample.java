/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.to_timestamp;
import static org.apache.spark.sql.functions.unix_micros;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.chart.SeriesChart;
import io.sparkstencil.jobs.chart.SeriesChart.Curve;
import io.sparkstencil.jobs.chart.SeriesChart.Look;
import io.sparkstencil.jobs.chart.SeriesChart.Panel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * Columns of a table, thinned out by Spark to what a plot can show: where there are more rows than
 * that, the axis is cut into slots and the least and the greatest value of each slot are drawn, so
 * no spike is lost.
 */
final class SeriesSample {
  private static final int MOST_ROWS = 4000;
  private static final int SLOTS = 1000;
  private static final int MOST_SERIES = 4;
  private static final String AXIS = "stencil_axis";
  private static final String SLOT = "stencil_slot";

  private final Dataset<Row> table;
  private final ApplyRequest request;

  /** Creates a sample of {@code table}, which holds the results of {@code request}. */
  SeriesSample(Dataset<Row> table, ApplyRequest request) {
    this.table = table;
    this.request = request;
  }

  /**
   * Checks that the order column can be an axis.
   *
   * @throws InvalidStencilException if not
   */
  static void requireAxis(StructType schema, String orderBy) {
    DataType type = ApplyRequest.fieldOf(schema, orderBy).dataType();
    if (!isTime(type) && !(type instanceof NumericType)) {
      throw new InvalidStencilException(
          "--plot needs dates, times or numbers to plot over, but %s is of type %s; leave --plot out"
              .formatted(orderBy, type.simpleString()));
    }
  }

  /** Draws one panel per source column, and per series up to a few. */
  SeriesChart chart() {
    DataType type = ApplyRequest.fieldOf(table.schema(), request.orderBy()).dataType();
    boolean dates = isTime(type);
    SeriesChart chart = new SeriesChart(request.orderBy(), dates);
    Dataset<Row> withAxis = table.withColumn(AXIS, axis(type)).where(col(AXIS).isNotNull());
    series(withAxis).forEach((which, series) -> addPanels(chart, series, which));
    return chart;
  }

  private void addPanels(SeriesChart chart, Dataset<Row> series, String which) {
    Row range = series.agg(count(AXIS), min(AXIS), max(AXIS)).first();
    if (range.getLong(0) == 0) {
      return;
    }
    boolean few = range.getLong(0) <= MOST_ROWS;
    Column slot = few ? col(AXIS) : slot(range.getDouble(1), range.getDouble(2));
    Dataset<Row> slotted = series.withColumn(SLOT, slot);
    request.results().stream()
        .map(ApplyRequest.ResultColumn::source)
        .distinct()
        .limit(MOST_SERIES)
        .forEach(source -> chart.add(panel(slotted, source, which)));
  }

  private static boolean isTime(DataType type) {
    return type.equals(DataTypes.DateType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType);
  }

  private Column axis(DataType type) {
    Column order = ApplyRequest.quoted(request.orderBy());
    return isTime(type)
        ? unix_micros(to_timestamp(order)).cast("double").divide(1000)
        : order.cast("double");
  }

  /** Returns the first few series of a table that has several, or all of it, with their names. */
  private Map<String, Dataset<Row>> series(Dataset<Row> withAxis) {
    List<String> keys = request.partitionBy();
    if (keys.isEmpty()) {
      return Map.of("", withAxis);
    }
    Column[] columns = keys.stream().map(ApplyRequest::quoted).toArray(Column[]::new);
    Map<String, Dataset<Row>> series = new LinkedHashMap<>();
    for (Row key :
        withAxis.select(columns).distinct().sort(columns).limit(MOST_SERIES).collectAsList()) {
      Dataset<Row> one = withAxis;
      StringBuilder name = new StringBuilder();
      for (int i = 0; i < columns.length; i++) {
        one = one.where(columns[i].eqNullSafe(key.get(i)));
        name.append(", %s %s".formatted(keys.get(i), key.get(i)));
      }
      series.put(name.toString(), one);
    }
    return series;
  }

  private static Column slot(double first, double last) {
    double width = (last - first) / SLOTS;
    return width > 0 ? floor(col(AXIS).minus(first).divide(width)) : lit(0);
  }

  private Panel panel(Dataset<Row> slotted, String source, String which) {
    List<String> columns = new ArrayList<>(List.of(source));
    request.results().stream()
        .filter(result -> result.source().equals(source))
        .forEach(result -> columns.add(result.name()));
    List<Column> extremes = new ArrayList<>();
    for (String column : columns) {
      extremes.add(min(ApplyRequest.quoted(column).cast("double")));
      extremes.add(max(ApplyRequest.quoted(column).cast("double")));
    }
    extremes.add(max(AXIS));
    List<Row> rows =
        slotted
            .groupBy(SLOT)
            .agg(min(AXIS), extremes.toArray(Column[]::new))
            .sort(SLOT)
            .collectAsList();
    List<Curve> curves = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      curves.add(curve(rows, columns.get(i), 2 + 2 * i, i == 0 ? Look.DATA : Look.RESULT));
    }
    String results = String.join(", ", columns.subList(1, columns.size()));
    return new Panel(results + which, source, curves);
  }

  /** Two points per slot where its extremes differ, else one. */
  private static Curve curve(List<Row> rows, String name, int leastAt, Look look) {
    int lastAxis = rows.isEmpty() ? 0 : rows.get(0).length() - 1;
    double[] at = new double[2 * rows.size()];
    double[] values = new double[2 * rows.size()];
    int points = 0;
    for (Row row : rows) {
      double least = finite(row, leastAt);
      double greatest = finite(row, leastAt + 1);
      at[points] = row.getDouble(1);
      values[points++] = least;
      if (least != greatest && !Double.isNaN(least) && !Double.isNaN(greatest)) {
        at[points] = row.getDouble(lastAxis);
        values[points++] = greatest;
      }
    }
    return new Curve(name, Arrays.copyOf(at, points), Arrays.copyOf(values, points), look);
  }

  /** Returns the value, or NaN, where the curve is broken, for what cannot be drawn. */
  private static double finite(Row row, int index) {
    double value = row.isNullAt(index) ? Double.NaN : row.getDouble(index);
    return Double.isInfinite(value) ? Double.NaN : value;
  }
}
