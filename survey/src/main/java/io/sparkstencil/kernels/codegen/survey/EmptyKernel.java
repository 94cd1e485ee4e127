/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import io.sparkstencil.kernels.codegen.GeneratedKernel;

/** Does nothing, without parameters: its time is that of a launch. */
public record EmptyKernel() implements SurveyKernel {
  private static final int THREADS = 32;

  @Override
  public String entryName() {
    return "survey_empty";
  }

  @Override
  public GeneratedKernel generate() {
    return new SurveyWriter(THREADS).finish(this, THREADS);
  }
}
