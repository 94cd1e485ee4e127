/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.util.Map;
import java.util.Optional;

/**
 * Limits without a device: the figures of NVIDIA's CUDA C++ Programming Guide, table "Technical
 * Specifications per Compute Capability".
 */
final class KnownLimits {
  private static final int KIB = 1024;

  private static final Map<Integer, MultiprocessorLimits> KNOWN =
      Map.of(
          70, known(7, 0, 64, 32, 96, 0),
          75, known(7, 5, 32, 16, 64, 0),
          80, known(8, 0, 64, 32, 164, 1),
          86, known(8, 6, 48, 16, 100, 1),
          89, known(8, 9, 48, 24, 100, 1),
          90, known(9, 0, 64, 32, 228, 1),
          100, known(10, 0, 64, 32, 228, 1),
          120, known(12, 0, 48, 24, 100, 1));

  private static MultiprocessorLimits known(
      int major, int minor, int warps, int blocks, int sharedKib, int reservedKib) {
    return new MultiprocessorLimits(
        new ComputeCapability(major, minor),
        1,
        warps,
        blocks,
        64 * KIB,
        sharedKib * KIB,
        (sharedKib - reservedKib) * KIB,
        reservedKib * KIB);
  }

  /** Returns the figures of a compute capability, if they are known here. */
  static Optional<MultiprocessorLimits> of(ComputeCapability capability) {
    return Optional.ofNullable(KNOWN.get(capability.number()));
  }

  private KnownLimits() {}
}
