/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown before any work when a stencil, an option or a call is wrong. */
public final class InvalidStencilException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public InvalidStencilException(String message) {
    super(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** Creates the failure with the error that caused it. */
  public InvalidStencilException(String message, Throwable cause) {
    super(ErrorCode.INVALID_ARGUMENT, message, cause);
  }
}
