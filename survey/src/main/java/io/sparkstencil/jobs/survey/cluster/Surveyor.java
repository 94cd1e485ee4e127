/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.survey.SurveyProvider;
import java.io.Serializable;

/** Finds, in the process of an executor, what has experiments. */
@FunctionalInterface
public interface Surveyor extends Serializable {
  /** Returns what has experiments. */
  SurveyProvider provider();
}
