/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when data breaks a promise made about it, such as the order of its rows. */
public final class BadDataException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public BadDataException(String message) {
    super(ErrorCode.BAD_DATA, message);
  }

  /** Creates the failure with the error that caused it. */
  public BadDataException(String message, Throwable cause) {
    super(ErrorCode.BAD_DATA, message, cause);
  }
}
