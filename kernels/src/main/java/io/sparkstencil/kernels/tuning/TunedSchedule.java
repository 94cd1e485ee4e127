/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.variant.KernelSchedule;

/**
 * The fastest schedule of a search.
 *
 * @param schedule what was found
 * @param cells outputs of one launch while measuring
 * @param millis median time of one launch
 */
public record TunedSchedule(KernelSchedule schedule, int cells, double millis) {
  /** Checks the components. */
  public TunedSchedule {
    requireNonNull(schedule, "schedule is null");
  }
}
