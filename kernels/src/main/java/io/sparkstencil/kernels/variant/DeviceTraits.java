/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

/**
 * What choosing a schedule needs to know of a device.
 *
 * @param computeCapability major and minor as one number, 90 for 9.0
 * @param sharedBytesPerBlock the most shared memory of one block, opt-in included
 * @param profile how fast it is
 */
public record DeviceTraits(int computeCapability, int sharedBytesPerBlock, DeviceProfile profile) {
  /** The device that the selector's evidence comes from. */
  public static final DeviceTraits H200 = new DeviceTraits(90, 232_448);

  /** Checks that there is a profile. */
  public DeviceTraits {
    requireNonNull(profile, "profile is null");
  }

  /** Creates the traits of a device that was not measured. */
  public DeviceTraits(int computeCapability, int sharedBytesPerBlock) {
    this(computeCapability, sharedBytesPerBlock, DeviceProfile.BUILT_IN);
  }
}
