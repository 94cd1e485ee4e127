/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.spark.exec.ProcessEngines;
import java.util.List;
import java.util.Map;

/** The engines of this process for a plan. */
public final class ArrayEngines {
  private ArrayEngines() {}

  /**
   * Returns the engine of each group.
   *
   * @param name {@code auto} or the name of an engine
   * @param options values of {@code spark.stencil.*} keys
   */
  public static List<StencilEngine> select(
      String name, ArrayPlan plan, Map<String, String> options) {
    return plan.groups().stream()
        .map(group -> ProcessEngines.selectFor(name, group.specs(), options))
        .toList();
  }
}
