/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when the driver rejects a kernel; the message contains the driver's log. */
public final class KernelCompilationException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public KernelCompilationException(String message) {
    super(ErrorCode.KERNEL_COMPILATION, message);
  }
}
