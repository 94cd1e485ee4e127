/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What choosing a schedule needs to know of a device.
 *
 * @param computeCapability major and minor as one number, 90 for 9.0
 * @param sharedBytesPerBlock the most shared memory of one block, opt-in included
 * @param profile how fast it is
 * @param tensorCoresFuse whether tensor cores, if there are any for doubles, add products with the
 *     bits of a chain of fused multiply-adds, as far as is known
 */
public record DeviceTraits(
    int computeCapability,
    int sharedBytesPerBlock,
    DeviceProfile profile,
    boolean tensorCoresFuse) {
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

  /** Creates the traits of a device whose tensor cores do as those of an H100. */
  public DeviceTraits(int computeCapability, int sharedBytesPerBlock, DeviceProfile profile) {
    this(computeCapability, sharedBytesPerBlock, profile, true);
  }

  /** Returns these traits with what is known of tensor cores. */
  public DeviceTraits withTensorCores(boolean fuse) {
    return new DeviceTraits(computeCapability, sharedBytesPerBlock, profile, fuse);
  }

  /** Returns the matrices of doubles that tensor cores multiply with the bits of fma. */
  public List<MatrixShape> matrices() {
    return tensorCoresFuse ? MatrixShape.of(computeCapability) : List.of();
  }
}
