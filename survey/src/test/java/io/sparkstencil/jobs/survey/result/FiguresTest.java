/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.survey.Axis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "33, 33",
    "4096, 4096",
    "4150.3, 4150",
    "12.345, 12.3",
    "-1.234, -1.23",
    "0.8251, 0.825",
    "0.0123, 0.0123",
    "0.00002, 2.00e-05",
    "123456789, 1.23e+08",
    "NaN, -"
  })
  void keepsTheDigitsThatCount(double value, String text) {
    assertThat(Figures.plain(value)).isEqualTo(text);
  }

  @Test
  void bytesHaveTheLargestUnit() {
    assertThat(Figures.bytes(32)).isEqualTo("32 bytes");
    assertThat(Figures.bytes(1536)).isEqualTo("1.50 KiB");
    assertThat(Figures.bytes(60 << 20)).isEqualTo("60 MiB");
    assertThat(Figures.bytes(0x1p32)).isEqualTo("4 GiB");
  }

  @Test
  void axesBringTheirUnits() {
    Axis bytes = new Axis("size", "bytes", true);
    Axis rate = new Axis("rate", "GB/s", false);
    Axis plain = new Axis("threads", "", false);

    assertThat(Figures.title(bytes)).isEqualTo("size");
    assertThat(Figures.of(bytes, 2048)).isEqualTo("2 KiB");
    assertThat(Figures.title(rate)).isEqualTo("rate (GB/s)");
    assertThat(Figures.withUnit(55, "GB/s")).isEqualTo("55 GB/s");
    assertThat(Figures.title(plain)).isEqualTo("threads");
    assertThat(Figures.withUnit(7, "")).isEqualTo("7");
    assertThat(Figures.percent(0.031)).isEqualTo("3.1 %");
  }

  @Test
  void theMedianIsInTheMiddle() {
    assertThat(Figures.median(3, 1, 2)).isEqualTo(2);
    assertThat(Figures.median(4, 1, 2, 3)).isEqualTo(2.5);
    assertThat(Figures.median()).isNaN();
  }
}
