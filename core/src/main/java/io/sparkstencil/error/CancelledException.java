/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/**
 * Thrown where work stops because its thread was interrupted. It is no failure of an engine: no
 * other one takes over.
 */
public final class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public CancelledException(String message) {
    super(message);
  }
}
