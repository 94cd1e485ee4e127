/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * A question about a device, and how it is answered.
 *
 * @param name what users type, such as {@code coalescing}: lower-case letters, digits and hyphens
 * @param title what stands above its charts
 * @param question what is asked, one sentence with a question mark
 * @param method what is run and how it is predicted, a few sentences
 * @param textbook what the published texts say, with their source and device
 * @param decision what the engine decides by the answer; empty if nothing
 */
public record Experiment(
    String name, String title, String question, String method, String textbook, String decision) {
  private static final String NAME = "[a-z][a-z0-9-]*";

  /** Checks the name. */
  public Experiment {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("an experiment is called " + name);
    }
  }
}
