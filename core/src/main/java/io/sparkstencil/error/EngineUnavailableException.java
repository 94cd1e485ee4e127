/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when an engine requested by name cannot be used in this process. */
public final class EngineUnavailableException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public EngineUnavailableException(String message) {
    super(ErrorCode.ENGINE_UNAVAILABLE, message);
  }

  /** Creates the exception with its cause. */
  public EngineUnavailableException(String message, Throwable cause) {
    super(ErrorCode.ENGINE_UNAVAILABLE, message, cause);
  }
}
