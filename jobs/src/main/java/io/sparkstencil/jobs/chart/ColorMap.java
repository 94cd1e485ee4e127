/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.util.List;

/** Colours for numbers: equal distances between numbers look like equal distances of colour. */
public enum ColorMap {
  /**
   * From dark to light, for fields of one sign: viridis.
   *
   * <p>Source: S. van der Walt and N. Smith, the default colour map of matplotlib 2.0 (2015), CC0;
   * at each eighth.
   */
  SEQUENTIAL(
      0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725),
  /** Blue below, white at 0, red above, each as light as its opposite: for signed fields. */
  DIVERGING(
      0x143b8f, 0x3166ad, 0x6f93cb, 0xb3c6e6, 0xf7f7f5, 0xf2b9ac, 0xdd776b, 0xb83c3c, 0x870f22),
  /** From black to white, as light falls. */
  GREY(0x000000, 0xffffff);

  /** Different colours of a map; the rest of 256 is left for text and lines. */
  static final int LEVELS = 224;

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<Integer> stops;

  ColorMap(Integer... stops) {
    this.stops = List.of(stops);
  }

  /** Returns the colour of a number in a range, as red, green and blue in the lowest 24 bits. */
  int rgb(double value, ValueRange range) {
    double width = range.greatest() - range.least();
    double share = width > 0 ? (value - range.least()) / width : 0;
    return rgb((int) Math.round(Math.max(0, Math.min(1, share)) * (LEVELS - 1)));
  }

  /** Returns a colour by its level, from 0 for the least number to {@code LEVELS - 1}. */
  int rgb(int level) {
    double place = (double) level / (LEVELS - 1) * (stops.size() - 1);
    int from = Math.min(stops.size() - 2, (int) place);
    int color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int low = stops.get(from) >> shift & 0xff;
      int high = stops.get(from + 1) >> shift & 0xff;
      color = color << 8 | (int) Math.round(low + (place - from) * (high - low));
    }
    return color;
  }
}
