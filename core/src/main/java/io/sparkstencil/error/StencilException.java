/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static java.util.Objects.requireNonNull;

/**
 * A failure that this library reports. The message says what, which value, which limit and what to
 * do about it.
 */
public class StencilException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** Creates a failure of kind {@code code} that no other failure caused. */
  public StencilException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /** Creates a failure of kind {@code code}; {@code cause} may be null. */
  public StencilException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = requireNonNull(code, "code is null");
  }

  /** Returns the kind of failure, which says what a caller can do. */
  public ErrorCode code() {
    return code;
  }
}
