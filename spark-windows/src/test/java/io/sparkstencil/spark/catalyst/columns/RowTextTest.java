/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Messages name a row by the columns that its reader knows. */
final class RowTextTest {
  @Test
  void columnsThatSparkMadeForWindowsAreLeftOut() {
    StructType schema =
        new StructType()
            .add("_w0", DataTypes.LongType)
            .add("k", DataTypes.StringType)
            .add("_w12", DataTypes.LongType)
            .add("_width", DataTypes.LongType)
            .add("t", DataTypes.LongType);
    Object[] values = {7L, UTF8String.fromString("north"), 8L, null, 9L};
    assertThat(RowText.of(schema, new GenericInternalRow(values)))
        .isEqualTo("k = north, _width = null, t = 9");
  }
}
