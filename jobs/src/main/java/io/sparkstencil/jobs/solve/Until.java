/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When to stop before the last step.
 *
 * @param change the change of every cell from one check to the next, below which it is time
 */
record Until(double change) {
  private static final Pattern TEXT = Pattern.compile("\\s*change\\s*<\\s*(\\S+)\\s*");

  /** Reads {@code change<1e-6}. */
  static Until parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      try {
        double change = Double.parseDouble(matcher.group(1));
        if (change > 0 && change < Double.POSITIVE_INFINITY) {
          return new Until(change);
        }
      } catch (NumberFormatException e) {
        // said below
      }
    }
    throw new InvalidStencilException(
        "--until \"%s\" is no condition; write \"change<1e-6\" with a number above 0"
            .formatted(text));
  }
}
