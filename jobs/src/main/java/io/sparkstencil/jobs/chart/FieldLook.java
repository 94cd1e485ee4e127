/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Color;

/**
 * How cells become colours.
 *
 * @param colors the colours; null for those that suit the values
 * @param range the values from the first colour to the last, and no others; null for all there are
 * @param missing what cells without a number are, as in the legend
 * @param missingColor their colour
 */
public record FieldLook(ColorMap colors, ValueRange range, String missing, Color missingColor) {
  static final Color NO_NUMBER = new Color(0xb8, 0xbd, 0xc4);

  /** What suits the values. */
  public static final FieldLook AUTO = new FieldLook(null, null, "no value", NO_NUMBER);

  /** Returns the colours for values of a range. */
  ColorMap colors(ValueRange found) {
    if (colors != null) {
      return colors;
    }
    if (range == null) {
      return found.colors();
    }
    return -range.least() == range.greatest() ? ColorMap.DIVERGING : ColorMap.SEQUENTIAL;
  }

  /** Returns the values from the first colour to the last. */
  ValueRange drawn(ValueRange found) {
    if (range != null) {
      return range;
    }
    if (colors == null) {
      return found.drawn();
    }
    boolean around0 = found.least() < 0 && found.greatest() > 0;
    return colors == ColorMap.DIVERGING && around0 ? found.around0() : found;
  }
}
