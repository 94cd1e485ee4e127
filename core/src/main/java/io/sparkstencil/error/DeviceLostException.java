/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/**
 * Thrown after a sticky device error: the device's context cannot be used again in this process.
 */
public final class DeviceLostException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; the message says what, value, limit and remedy. */
  public DeviceLostException(String message) {
    super(ErrorCode.DEVICE_LOST, message);
  }

  /** Creates the failure with the error that caused it. */
  public DeviceLostException(String message, Throwable cause) {
    super(ErrorCode.DEVICE_LOST, message, cause);
  }
}
