/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.SparkSessionExtensions;
import org.junit.jupiter.api.Test;

final class StencilExtensionsTest {
  @Test
  void addsNothingTwiceWhereTheClassPathAndTheConfigurationBothNameTheExtensions() {
    SparkSessionExtensions once = new SparkSessionExtensions();
    SparkSessionExtensions twice = new SparkSessionExtensions();
    new StencilExtensions().apply(once);
    new StencilExtensions().apply(twice);
    new StencilExtensions().apply(twice);

    assertThat(twice.buildPlannerStrategies(null).size())
        .isEqualTo(once.buildPlannerStrategies(null).size())
        .isPositive();
  }
}
