/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when the driver refuses a kernel; the message holds its log. */
public final class KernelCompilationException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public KernelCompilationException(String message) {
    super(ErrorCode.KERNEL_COMPILATION, message);
  }

  /** Creates the failure with the error that caused it. */
  public KernelCompilationException(String message, Throwable cause) {
    super(ErrorCode.KERNEL_COMPILATION, message, cause);
  }
}
