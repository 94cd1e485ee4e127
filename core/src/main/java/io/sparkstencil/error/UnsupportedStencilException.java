/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when an engine is asked to compile a stencil that it does not support. */
public final class UnsupportedStencilException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public UnsupportedStencilException(String message) {
    super(ErrorCode.UNSUPPORTED, message);
  }
}
