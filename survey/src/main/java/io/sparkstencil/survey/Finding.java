/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import java.util.List;

/**
 * The answer of one experiment.
 *
 * @param experiment the experiment's name
 * @param charts its measurements; empty if it could not be run here
 * @param claims what holds of what was published
 * @param meaning what the measurements mean on this device, one sentence; or why there are none
 * @param seconds how long it took
 */
public record Finding(
    String experiment,
    List<SurveyChart> charts,
    List<Claim> claims,
    String meaning,
    double seconds) {
  /** Copies the lists. */
  public Finding {
    charts = List.copyOf(charts);
    claims = List.copyOf(claims);
  }
}
