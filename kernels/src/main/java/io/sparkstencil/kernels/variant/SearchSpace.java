/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import java.util.List;

/** The schedules that tuning may try for a stencil. */
public final class SearchSpace {
  private SearchSpace() {}

  /** Returns the candidates, the selector's choice first. */
  public static List<KernelSchedule> candidates(DeviceTraits traits, FlatStencil what) {
    return List.of(ScheduleSelector.select(traits, what));
  }
}
