/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Rows that tie have one order, however they came: by values, then by all that they hold. */
final class CellReaderTest {
  private static final CellReader CELLS =
      new CellReader(
          StagePlan.of(
              List.of(
                  new StagePlan.Call(
                      0, CellKind.DOUBLE, Stencil.mean(Frame.radius(1)), SumOverflow.WRAP))),
          new int[] {1});

  private static UnsafeRow row(long id, Double value, String text) {
    return UnsafeProjection.create(
            new DataType[] {DataTypes.LongType, DataTypes.DoubleType, DataTypes.StringType})
        .apply(new GenericInternalRow(new Object[] {id, value, UTF8String.fromString(text)}))
        .copy();
  }

  @Test
  void rowsThatDifferHaveAnOrder() {
    List<UnsafeRow> rows = new ArrayList<>();
    for (Double value : new Double[] {null, 0.0, -0.0, 1.5}) {
      for (long id = 0; id < 3; id++) {
        rows.add(row(id, value, "a"));
        rows.add(row(id, value, "longer than eight bytes"));
        rows.add(row(id, value, "longer than eight bytes, much"));
      }
    }
    for (int a = 0; a < rows.size(); a++) {
      assertThat(CELLS.compareTies(rows.get(a), rows.get(a).copy())).isZero();
      for (int b = 0; b < a; b++) {
        int order = CELLS.compareTies(rows.get(a), rows.get(b));
        assertThat(order).as("%d, %d", a, b).isNotZero();
        assertThat(CELLS.compareTies(rows.get(b), rows.get(a))).isEqualTo(-order);
      }
    }
  }

  @Test
  void cellsComeFirstAndNullBeforeThem() {
    assertThat(CELLS.compareTies(row(9, null, "z"), row(1, 1.0, "a"))).isNegative();
    assertThat(CELLS.compareTies(row(9, 1.0, "z"), row(1, 2.0, "a"))).isNegative();
  }
}
