/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RAPIDS is active where its plugin runs and its switches are on. */
final class RapidsTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', '', false",
    "io.sparkstencil.spark.StencilPlugin, '', '', false",
    "com.nvidia.spark.SQLPlugin, '', '', true",
    "'io.sparkstencil.spark.StencilPlugin, com.nvidia.spark.SQLPlugin', TRUE, executeOnGPU, true",
    "com.nvidia.spark.SQLPlugin, false, '', false",
    "com.nvidia.spark.SQLPlugin, true, explainOnly, false"
  })
  void isActive(String plugins, String enabled, String mode, boolean active) {
    SQLConf session = new SQLConf();
    if (!enabled.isEmpty()) {
      session.setConfString("spark.rapids.sql.enabled", enabled);
    }
    if (!mode.isEmpty()) {
      session.setConfString("spark.rapids.sql.mode", mode);
    }
    session.setConfString("spark.plugins", plugins);
    assertThat(Rapids.isActive(session)).isEqualTo(active);
  }
}
