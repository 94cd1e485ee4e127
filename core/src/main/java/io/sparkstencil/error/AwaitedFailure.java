/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/**
 * What work of another thread failed with, for those who wait for it: they throw it as it is, since
 * callers know a failure by its class.
 */
public final class AwaitedFailure {
  private AwaitedFailure() {}

  /**
   * Throws the cause of the exception with which waiting ended, also if it is an error or checked.
   *
   * @return nothing; for callers that write {@code throw}
   */
  public static RuntimeException of(Exception waiting) {
    throw AwaitedFailure.<RuntimeException>unchecked(waiting.getCause());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // thrown whatever it is
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
