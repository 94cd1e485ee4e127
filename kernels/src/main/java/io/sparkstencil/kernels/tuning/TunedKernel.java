/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static java.util.Objects.requireNonNull;

/**
 * The fastest kernel of a search for a program.
 *
 * @param kernel the name of the kernel, or {@link #SINGLE_STEPS}
 * @param millisPerStep median time of one step
 * @param text the program, for readers
 */
public record TunedKernel(String kernel, double millisPerStep, String text) {
  /** The name of taking every step by itself. */
  public static final String SINGLE_STEPS = "single steps";

  /** Checks the components. */
  public TunedKernel {
    requireNonNull(kernel, "kernel is null");
    requireNonNull(text, "text is null");
    if (!(millisPerStep > 0)) {
      throw new IllegalArgumentException(
          "a step takes %s ms; it must be more than 0".formatted(millisPerStep));
    }
  }
}
