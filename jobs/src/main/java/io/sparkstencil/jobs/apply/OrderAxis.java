/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.to_timestamp;
import static org.apache.spark.sql.functions.unix_micros;

import io.sparkstencil.jobs.chart.SeriesChart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The horizontal axis of a plot over an order column of any type: times and numbers stand at their
 * values, all others at their places in the order, which are labelled with them.
 */
final class OrderAxis {
  /** The column of positions; null where the order column is. */
  static final String AXIS = "stencil_axis";

  private static final String ORDER = "stencil_order";
  private static final int MOST_LABELS = 4000;

  private final String orderBy;
  private final boolean times;
  private final Dataset<Row> table;
  private final Map<Long, String> labels = new HashMap<>();

  OrderAxis(Dataset<Row> table, String orderBy) {
    this.orderBy = orderBy;
    DataType type = ApplyRequest.fieldOf(table.schema(), orderBy).dataType();
    Column order = ApplyRequest.quoted(orderBy);
    this.times = isTime(type);
    if (times) {
      Column millis = unix_micros(to_timestamp(order)).cast("double").divide(1000);
      this.table = table.withColumn(AXIS, millis).where(col(AXIS).isNotNull());
    } else if (type instanceof NumericType) {
      this.table = table.withColumn(AXIS, order.cast("double")).where(col(AXIS).isNotNull());
    } else {
      Dataset<Row> places = places(table, order, type);
      this.table = table.join(places, order.equalTo(col(ORDER)));
    }
  }

  private static boolean isTime(DataType type) {
    return type.equals(DataTypes.DateType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType);
  }

  /** Returns the values of the order column with their places, and keeps labels if they are few. */
  private Dataset<Row> places(Dataset<Row> from, Column order, DataType type) {
    StructType schema =
        new StructType(
            new StructField[] {
              DataTypes.createStructField(ORDER, type, false),
              DataTypes.createStructField(AXIS, DataTypes.DoubleType, false)
            });
    Dataset<Row> sorted = from.select(order).where(order.isNotNull()).distinct().sort(order);
    Dataset<Row> places =
        from.sparkSession()
            .createDataFrame(
                sorted
                    .javaRDD()
                    .zipWithIndex()
                    .map(each -> RowFactory.create(each._1.get(0), (double) each._2)),
                schema);
    List<Row> few =
        places.select(col(AXIS), col(ORDER).cast("string")).limit(MOST_LABELS + 1).collectAsList();
    if (few.size() <= MOST_LABELS) {
      few.forEach(row -> labels.put((long) row.getDouble(0), row.getString(1)));
    }
    return places;
  }

  /** Returns the rows that have a place on the axis, with {@link #AXIS}. */
  Dataset<Row> table() {
    return table;
  }

  /** Returns a chart over this axis, without panels. */
  SeriesChart chart() {
    SeriesChart chart = new SeriesChart(orderBy, times);
    return labels.isEmpty() ? chart : chart.withLabels(labels);
  }
}
