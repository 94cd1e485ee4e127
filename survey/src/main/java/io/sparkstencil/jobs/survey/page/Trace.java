/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;

/**
 * A curve as it is drawn.
 *
 * @param curve its name in the legend and its measurements
 * @param color the number of its color and of its mark
 * @param hollow whether it is that of the other device
 * @param predicted whether its prediction is drawn, too
 */
record Trace(Curve curve, int color, boolean hollow, boolean predicted) {
  /** Returns the curves of a chart, with their predictions. */
  static List<Trace> of(SurveyChart chart) {
    List<Trace> traces = new ArrayList<>();
    for (Curve curve : chart.curves()) {
      traces.add(new Trace(curve, traces.size(), false, true));
    }
    return traces;
  }
}
