/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown before any work begins when a stencil, an option or a call is invalid. */
public final class InvalidStencilException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public InvalidStencilException(String message) {
    super(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** Creates the exception with its cause. */
  public InvalidStencilException(String message, Throwable cause) {
    super(ErrorCode.INVALID_ARGUMENT, message, cause);
  }
}
