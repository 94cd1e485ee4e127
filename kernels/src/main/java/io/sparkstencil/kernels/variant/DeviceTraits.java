/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/**
 * What choosing a schedule needs to know of a device.
 *
 * @param computeCapability major and minor as one number, 90 for 9.0
 * @param processors streaming multiprocessors
 * @param sharedBytesPerBlock the most shared memory of one block, opt-in included
 * @param sharedBytesPerProcessor shared memory of one multiprocessor
 */
public record DeviceTraits(
    int computeCapability, int processors, int sharedBytesPerBlock, int sharedBytesPerProcessor) {
  /** The device that the selector's evidence comes from. */
  public static final DeviceTraits H200 = new DeviceTraits(90, 132, 232_448, 233_472);
}
