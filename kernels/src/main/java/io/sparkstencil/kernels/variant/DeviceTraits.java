/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/**
 * What choosing a schedule needs to know of a device.
 *
 * @param computeCapability major and minor as one number, 90 for 9.0
 * @param sharedBytesPerBlock the most shared memory of one block, opt-in included
 */
public record DeviceTraits(int computeCapability, int sharedBytesPerBlock) {
  /** The device that the selector's evidence comes from. */
  public static final DeviceTraits H200 = new DeviceTraits(90, 232_448);
}
