/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * An axis of a chart.
 *
 * @param label what it shows, such as {@code offset}
 * @param unit its unit, such as {@code words}; empty for plain numbers
 * @param logarithmic whether equal factors are equal distances
 */
public record Axis(String label, String unit, boolean logarithmic) {}
