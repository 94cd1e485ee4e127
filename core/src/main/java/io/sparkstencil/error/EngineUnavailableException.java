/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when the engine asked for by name cannot be used in this process. */
public final class EngineUnavailableException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public EngineUnavailableException(String message) {
    super(ErrorCode.ENGINE_UNAVAILABLE, message);
  }

  /** Creates the failure with the error that caused it. */
  public EngineUnavailableException(String message, Throwable cause) {
    super(ErrorCode.ENGINE_UNAVAILABLE, message, cause);
  }
}
