/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ColorMapTest {
  private static final int LAST = ColorMap.LEVELS - 1;

  @Test
  void sequentialColoursBecomeLighterInEvenSteps() {
    double whole = lightness(ColorMap.SEQUENTIAL, LAST) - lightness(ColorMap.SEQUENTIAL, 0);
    for (int level = 1; level <= LAST; level++) {
      double step =
          lightness(ColorMap.SEQUENTIAL, level) - lightness(ColorMap.SEQUENTIAL, level - 1);
      assertThat(step).isEqualTo(whole / LAST, within(0.5));
    }
    for (int level = 0; level + 20 <= LAST; level++) {
      assertThat(lightness(ColorMap.SEQUENTIAL, level + 20))
          .isGreaterThan(lightness(ColorMap.SEQUENTIAL, level) + 4);
    }
  }

  @Test
  void divergingColoursOfOppositeNumbersAreEquallyLight() {
    for (int level = 0; level <= LAST / 2; level++) {
      assertThat(lightness(ColorMap.DIVERGING, level))
          .isEqualTo(lightness(ColorMap.DIVERGING, LAST - level), within(2.0))
          .isLessThan(lightness(ColorMap.DIVERGING, level + 1));
    }
    assertThat(lightness(ColorMap.DIVERGING, LAST / 2)).isGreaterThan(95);
  }

  @Test
  void numbersOutsideTheRangeHaveTheColoursOfItsEnds() {
    ValueRange range = new ValueRange(-1, 3);

    assertThat(ColorMap.SEQUENTIAL.rgb(-7, range)).isEqualTo(0x440154);
    assertThat(ColorMap.SEQUENTIAL.rgb(1, range)).isEqualTo(ColorMap.SEQUENTIAL.rgb(LAST / 2 + 1));
    assertThat(ColorMap.SEQUENTIAL.rgb(9, range)).isEqualTo(0xfde725);
    assertThat(ColorMap.SEQUENTIAL.rgb(5, new ValueRange(5, 5))).isEqualTo(0x440154);
  }

  /** Returns L* of CIE 1976, 0 for black to 100 for white, as sRGB (IEC 61966-2-1) defines it. */
  private static double lightness(ColorMap map, int level) {
    int rgb = map.rgb(level);
    double luminance =
        0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
    return luminance > 0.008856 ? 116 * Math.cbrt(luminance) - 16 : 903.3 * luminance;
  }

  private static double linear(int part) {
    double value = (part & 0xff) / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
