/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Thrown when device or pinned memory is exhausted: halve the batch, then use another engine. */
public final class DeviceOutOfMemoryException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public DeviceOutOfMemoryException(String message) {
    super(ErrorCode.OUT_OF_DEVICE_MEMORY, message);
  }

  /** Creates the failure with the error that caused it. */
  public DeviceOutOfMemoryException(String message, Throwable cause) {
    super(ErrorCode.OUT_OF_DEVICE_MEMORY, message, cause);
  }
}
