/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when device or pinned memory is exhausted. Split the batch, then use another engine. */
public final class DeviceOutOfMemoryException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public DeviceOutOfMemoryException(String message) {
    super(ErrorCode.OUT_OF_DEVICE_MEMORY, message);
  }

  /** Creates the exception with its cause. */
  public DeviceOutOfMemoryException(String message, Throwable cause) {
    super(ErrorCode.OUT_OF_DEVICE_MEMORY, message, cause);
  }
}
