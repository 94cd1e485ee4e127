/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.jobs.chart.SeriesChart;
import io.sparkstencil.jobs.chart.SeriesChart.Curve;
import io.sparkstencil.jobs.chart.SeriesChart.Look;
import io.sparkstencil.jobs.chart.SeriesChart.Panel;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;

/**
 * Panels of rows that hold the keys of a series, the first and the last position of a slot, and the
 * least and the greatest value of each column in it.
 *
 * @param request what was computed
 * @param columns the columns of which rows hold values
 * @param units of the columns that have one
 */
record SeriesPanels(ApplyRequest request, List<String> columns, Map<String, String> units) {
  /** Adds the panels of up to {@code most} series; returns whether there are more of them. */
  boolean addTo(SeriesChart chart, List<Row> rows, int most) {
    Map<List<Object>, List<Row>> series = new TreeMap<>(SeriesPanels::compare);
    for (Row row : rows) {
      series.computeIfAbsent(keys(row), key -> new ArrayList<>()).add(row);
    }
    series.entrySet().stream()
        .limit(most)
        .forEach(
            each -> {
              List<Slot> slots = slots(each.getValue());
              String name = name(each.getKey());
              request.sources().forEach(source -> chart.add(panel(slots, source, name)));
            });
    return series.size() > most;
  }

  private List<Object> keys(Row row) {
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < request.partitionBy().size(); i++) {
      keys.add(row.get(i));
    }
    return keys;
  }

  /** Compares keys as Spark does: nulls first, then by their natural order. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // values of one column have one type
  private static int compare(List<Object> one, List<Object> other) {
    for (int i = 0; i < one.size(); i++) {
      Object a = one.get(i);
      Object b = other.get(i);
      int order =
          a == null || b == null
              ? Boolean.compare(a != null, b != null)
              : a instanceof Comparable comparable
                  ? comparable.compareTo(b)
                  : a.toString().compareTo(b.toString());
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private String name(List<Object> keys) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      name.append(", %s %s".formatted(request.partitionBy().get(i), keys.get(i)));
    }
    return name.toString();
  }

  /**
   * The extremes of the rows of a slot.
   *
   * @param from its first position
   * @param until its last position
   * @param values the least and the greatest value of each column, or NaN
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Slot(double from, double until, double[] values) {
    /** Joins two slots at one position. */
    Slot join(Slot other) {
      double[] joined = new double[values.length];
      for (int i = 0; i < values.length; i += 2) {
        joined[i] = known(values[i], other.values[i], Math.min(values[i], other.values[i]));
        joined[i + 1] =
            known(values[i + 1], other.values[i + 1], Math.max(values[i + 1], other.values[i + 1]));
      }
      return new Slot(from, Math.max(until, other.until), joined);
    }

    private static double known(double one, double other, double both) {
      return Double.isNaN(one) ? other : Double.isNaN(other) ? one : both;
    }
  }

  /** Returns slots by their positions; rows of equal order share one. */
  private List<Slot> slots(List<Row> rows) {
    int at = request.partitionBy().size();
    List<Slot> sorted =
        rows.stream()
            .map(row -> slot(row, at))
            .sorted(Comparator.comparingDouble(Slot::from))
            .toList();
    List<Slot> joined = new ArrayList<>();
    for (Slot slot : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).from == slot.from) {
        joined.set(last, joined.get(last).join(slot));
      } else {
        joined.add(slot);
      }
    }
    return joined;
  }

  private Slot slot(Row row, int at) {
    double[] values = new double[2 * columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = finite(row, at + 2 + i);
    }
    return new Slot(row.getDouble(at), row.getDouble(at + 1), values);
  }

  /** Returns the value, or NaN, where the curve is broken, for what cannot be drawn. */
  private static double finite(Row row, int index) {
    double value = row.isNullAt(index) ? Double.NaN : row.getDouble(index);
    return Double.isInfinite(value) ? Double.NaN : value;
  }

  private Panel panel(List<Slot> slots, String source, String which) {
    List<String> results =
        request.results().stream()
            .filter(result -> result.source().equals(source))
            .map(ApplyRequest.ResultColumn::name)
            .toList();
    List<Curve> curves = new ArrayList<>();
    curves.add(curve(slots, source, Look.DATA));
    results.forEach(result -> curves.add(curve(slots, result, Look.RESULT)));
    String unit = units.get(source);
    return new Panel(
        request.title(source) + which, unit == null ? source : source + " (" + unit + ")", curves);
  }

  /** Two points per slot where its extremes differ, else one. */
  private Curve curve(List<Slot> slots, String name, Look look) {
    int column = 2 * columns.indexOf(name);
    double[] at = new double[2 * slots.size()];
    double[] values = new double[2 * slots.size()];
    int points = 0;
    for (Slot slot : slots) {
      double least = slot.values[column];
      double greatest = slot.values[column + 1];
      at[points] = slot.from;
      values[points++] = least;
      if (least != greatest && !Double.isNaN(least) && !Double.isNaN(greatest)) {
        at[points] = slot.until;
        values[points++] = greatest;
      }
    }
    double[] drawn = Arrays.copyOf(values, points);
    return new Curve(name + range(drawn), Arrays.copyOf(at, points), drawn, look);
  }

  /** Returns the least and the greatest value, for the legend. */
  private static String range(double... values) {
    DoubleSummaryStatistics found =
        Arrays.stream(values).filter(Double::isFinite).summaryStatistics();
    return found.getCount() == 0
        ? ", no values"
        : String.format(Locale.ROOT, ", %s to %s", number(found.getMin()), number(found.getMax()));
  }

  private static String number(double value) {
    BigDecimal shown = new BigDecimal(value).round(new MathContext(5)).stripTrailingZeros();
    boolean isShort = Math.abs(value) < 1e9 && shown.scale() < 9;
    return isShort ? shown.toPlainString() : shown.toString();
  }
}
