/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;

/**
 * A question with its answer.
 *
 * @param experiment what was asked
 * @param finding what was found
 */
public record AnsweredQuestion(Experiment experiment, Finding finding) {}
