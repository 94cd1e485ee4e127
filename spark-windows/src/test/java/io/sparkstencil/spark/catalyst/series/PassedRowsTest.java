/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class PassedRowsTest {
  /** A stage that ran again may have made other rows than were counted. */
  @Test
  @Timeout(20)
  void rowsThatAreMissingAreNotWaitedFor() {
    PassedRows rows = PassedRows.of(new BatchCells(ScalaInterop.noElements()), List.of());
    assertThatThrownBy(() -> rows.skip(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rows are missing");
  }
}
