/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import java.util.List;

/**
 * Measurements of one way of doing things, in the order of x.
 *
 * @param name the way, as in the legend
 * @param points its measurements
 */
public record Curve(String name, List<Measured> points) {
  /** Copies the points. */
  public Curve {
    points = List.copyOf(points);
  }
}
