/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.error.ShownText;
import java.util.function.Supplier;

/**
 * Planning that may fail without harm: what a rule of ours does not know stays as Spark planned it,
 * and the driver's log says so. Options are read outside, as a wrong one is the user's to mend.
 *
 * <p>Tests set the system property {@value #TESTING}, so that they see the failure itself.
 */
public final class Guarded {
  static final String TESTING = "stencil.testing";

  private static final System.Logger LOG = System.getLogger(Guarded.class.getName());

  private Guarded() {}

  /**
   * Returns what {@code planning} does, or {@code otherwise} if it fails. Errors of the virtual
   * machine and interrupts pass through.
   *
   * @param rule who plans, for the log
   */
  public static <T> T plan(Class<?> rule, T otherwise, Supplier<T> planning) {
    try {
      return planning.get();
    } catch (Exception | LinkageError | AssertionError thrown) {
      if (Boolean.getBoolean(TESTING) || thrown instanceof InterruptedException) {
        throw thrown;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          ShownText.printable(
              "Spark plans without %s, which failed unexpectedly; please report: %s"
                  .formatted(rule.getSimpleName(), thrown)));
      LOG.log(System.Logger.Level.DEBUG, "where that was", thrown);
      return otherwise;
    }
  }
}
