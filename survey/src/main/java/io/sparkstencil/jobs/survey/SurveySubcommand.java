/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.jobs.command.Subcommand;

/** Tells {@code stencil} of {@code stencil survey}, whose classes lie in a jar of their own. */
public final class SurveySubcommand implements Subcommand {
  @Override
  public Object command() {
    return new SurveyCommand();
  }
}
