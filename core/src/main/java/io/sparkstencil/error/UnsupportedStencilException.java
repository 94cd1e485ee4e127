/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when an engine is made to run a stencil that it had refused. */
public final class UnsupportedStencilException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public UnsupportedStencilException(String message) {
    super(ErrorCode.UNSUPPORTED, message);
  }

  /** Creates the failure with the error that caused it. */
  public UnsupportedStencilException(String message, Throwable cause) {
    super(ErrorCode.UNSUPPORTED, message, cause);
  }
}
