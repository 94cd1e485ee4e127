/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

/**
 * Chooses the schedule of a stencil on a device without running anything. Pure: no device, no
 * clock, no configuration. The evidence stands beside each threshold.
 */
public final class ScheduleSelector {
  private ScheduleSelector() {}

  /** Returns the schedule for {@code what} on a device with {@code traits}. */
  public static KernelSchedule select(DeviceTraits traits, FlatStencil what) {
    requireNonNull(traits, "traits is null");
    // An odd number of 16-byte units per thread: no bank conflicts without padding.
    int cellsPerThread = 3 * what.cellsPerVector();
    boolean core = what.groupsFreely() && what.width() >= cellsPerThread;
    return new KernelSchedule(
        StagingStrategy.SHARED_MEMORY,
        128,
        cellsPerThread,
        16,
        CoefficientPlacement.IMMEDIATE,
        core ? ReductionForm.SHARED_CORE : ReductionForm.SEQUENTIAL,
        CacheHints.NONE,
        64);
  }
}
