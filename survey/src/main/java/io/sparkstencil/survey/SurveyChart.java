/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import java.util.List;

/**
 * Measurements over one axis.
 *
 * @param name unique within the experiment: lower-case letters, digits and hyphens
 * @param title what stands above it
 * @param x what is varied
 * @param y what is measured
 * @param curves the measurements
 * @param limits what they cannot exceed
 */
public record SurveyChart(
    String name, String title, Axis x, Axis y, List<Curve> curves, List<Limit> limits) {
  /** Copies the lists. */
  public SurveyChart {
    curves = List.copyOf(curves);
    limits = List.copyOf(limits);
  }
}
