/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.CancelledException;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Rows that tie are ordered by their values, for as long as that is wanted. */
final class SeriesTiesTest {
  private static final int ROWS = 40_000;

  private final double[] values = new Random(5).doubles(ROWS).toArray();
  private final int[] places = IntStream.range(0, ROWS).toArray();
  private final SeriesLayout layout = layout();
  private final SeriesTies ties =
      new SeriesTies(
          layout,
          null,
          new int[] {0, 1},
          false,
          (column, nulls) ->
              column == 0
                  ? new long[ROWS]
                  : Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray());

  private static RowOrder order() {
    List<AttributeReference> columns =
        ScalaInterop.list(
            DataTypeUtils.toAttributes(
                new StructType().add("t", DataTypes.LongType).add("value", DataTypes.DoubleType)));
    SortOrder byTime =
        new SortOrder(
            columns.get(0),
            Ascending$.MODULE$,
            Ascending$.MODULE$.defaultNullOrdering(),
            ScalaInterop.seqOf());
    return new RowOrder(
        ScalaInterop.seqOf(byTime), ScalaInterop.<Attribute>seqOf(columns.get(0), columns.get(1)));
  }

  private static SeriesLayout layout() {
    CellReader cells =
        new CellReader(
            StagePlan.of(
                List.of(
                    new StagePlan.Call(
                        0, CellKind.DOUBLE, Stencil.mean(Frame.radius(1)), SumOverflow.WRAP))),
            new int[] {1});
    return SeriesLayout.ofOneSeries(order()).breakingTies(cells);
  }

  @Test
  void rowsThatTieAreOrderedByValue() {
    ties.sort(places, 0, ROWS);
    assertThat(Arrays.stream(places).mapToDouble(row -> values[row]).toArray())
        .isEqualTo(Arrays.stream(values).sorted().toArray());
  }

  @Test
  void manyRowsThatTieEndWhenTheirWorkIsNotWanted() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> ties.sort(places, 0, ROWS)).isInstanceOf(CancelledException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** A place is sorted as an object of 16 bytes, to which an array and half of another point. */
  @Test
  void placesOfRowsThatTieAreAccountedFor() {
    SeriesLayout asTheyCame = SeriesLayout.ofOneSeries(order());
    assertThat(SeriesSort.rowBytes(layout) - SeriesSort.rowBytes(asTheyCame))
        .isGreaterThanOrEqualTo(2 * Long.BYTES + 16 + 4 + 2);
  }
}
