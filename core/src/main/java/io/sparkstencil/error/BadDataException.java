/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when data is not as declared, for example when a row is out of order. */
public final class BadDataException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public BadDataException(String message) {
    super(ErrorCode.BAD_DATA, message);
  }
}
