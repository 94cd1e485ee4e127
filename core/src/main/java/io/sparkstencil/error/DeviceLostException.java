/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/**
 * Thrown after a sticky device error. The device's context cannot be used again in this process.
 */
public final class DeviceLostException extends StencilException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, value, limit and remedy. */
  public DeviceLostException(String message) {
    super(ErrorCode.DEVICE_LOST, message);
  }
}
