/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static java.util.Objects.requireNonNull;

/**
 * Base class of all exceptions that this library throws. The message states the problem, the value,
 * the limit and the remedy; it is printable, whatever values it repeats.
 *
 * <pre>{@code
 * try {
 *   Stencil.mean(Frame.radius(-1));
 * } catch (StencilException e) {
 *   if (e.code() == ErrorCode.INVALID_ARGUMENT) {
 *     System.err.println(e.getMessage()); // says what is wrong, and the remedy
 *   }
 * }
 * }</pre>
 */
public class StencilException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** Creates an exception of kind {@code code} without a cause. */
  public StencilException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /** Creates an exception of kind {@code code}; {@code cause} may be null. */
  public StencilException(ErrorCode code, String message, Throwable cause) {
    super(ShownText.message(message), cause);
    this.code = requireNonNull(code, "code is null");
  }

  /** Returns the kind of failure, which tells a caller how to respond. */
  public ErrorCode code() {
    return code;
  }
}
