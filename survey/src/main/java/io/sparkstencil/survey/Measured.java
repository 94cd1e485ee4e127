/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * One measurement. Rates and times are those of the y axis of its chart.
 *
 * @param x where on the x axis
 * @param y the median of its repeats
 * @param predicted what was predicted from the device's traits and limits; NaN if nothing was
 * @param spread (p90 - p10) / median
 * @param repeats the number of repeats
 * @param note why it differs from the prediction, or why there is none; else empty
 */
public record Measured(
    double x, double y, double predicted, double spread, int repeats, String note) {

  /** Returns measured over predicted; NaN if nothing was predicted. */
  public double ratio() {
    return y / predicted;
  }
}
