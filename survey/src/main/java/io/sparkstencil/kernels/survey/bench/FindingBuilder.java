/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;
import java.util.Locale;

/**
 * What an experiment found.
 *
 * @param charts its measurements; empty if it could not be run
 * @param claims what holds of what was published
 * @param meaning what it means here, one sentence
 */
public record FindingBuilder(List<SurveyChart> charts, List<Claim> claims, String meaning) {
  /** Copies the lists. */
  public FindingBuilder {
    charts = List.copyOf(charts);
    claims = List.copyOf(claims);
  }

  /** Returns the answer of what cannot be run here. */
  public static FindingBuilder none(String reason) {
    return new FindingBuilder(List.of(), List.of(), reason);
  }

  /** Returns a text with figures in it, the same in every language. */
  public static String text(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }
}
