/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that put series right before stencils go over them. */
final class TidyOptions {
  /** Which row counts where several of a series have one order value. */
  enum Dedupe {
    FIRST,
    LAST,
    MEAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What stands where a step has no value. */
  enum Fill {
    NONE,
    PREVIOUS,
    LINEAR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--dedupe",
      paramLabel = "WHICH",
      description =
          "Keep one row of those of a series with the same order value: the first or the last in the"
              + " input, or the mean of the columns.")
  private Dedupe dedupe;

  @Option(
      names = "--resample",
      paramLabel = "D",
      description =
          "Make rows at equal steps of the order column, such as 1h; each has the means of the"
              + " columns within its step.")
  private String resample;

  @Option(
      names = "--fill",
      paramLabel = "HOW",
      description =
          "With --resample, what stands where a step has no value: none (default), previous or"
              + " linear.")
  private Fill fill;

  /**
   * Returns what is to be done.
   *
   * @throws InvalidStencilException if the options do not go together
   */
  Tidying tidying() {
    if (resample == null) {
      if (fill != null) {
        throw new InvalidStencilException(
            "--fill %s is of no use without --resample, which makes the steps that it fills"
                .formatted(fill));
      }
      return new Tidying(dedupe, null, Fill.NONE);
    }
    OrderSpan step = OrderSpan.parse("--resample", resample);
    if (step.amount().signum() <= 0 || step.kind() == OrderSpan.SpanUnit.MONTHS) {
      throw new InvalidStencilException(
          "--resample %s is no step: use one above 0 of a fixed length, such as 15min, 1h or \"7 days\""
              .formatted(resample));
    }
    return new Tidying(dedupe, step, fill == null ? Fill.NONE : fill);
  }

  /** Returns the first of the options that was given, or null. */
  String given() {
    return dedupe != null ? "--dedupe" : resample != null ? "--resample" : null;
  }
}
