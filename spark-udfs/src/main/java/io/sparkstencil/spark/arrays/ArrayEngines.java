/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.PartitionWork;
import io.sparkstencil.spark.plugin.TaskEngine;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The engines for a plan, one for each of its stagings. */
public final class ArrayEngines {
  private ArrayEngines() {}

  /**
   * Returns engines of this executor for the calling task, with whose end they are given back;
   * outside of tasks the caller closes them.
   */
  public static List<TaskEngine> ofTask(ArrayPlan plan, StencilConf conf) {
    ExecutorRuntime runtime = ExecutorRuntime.current();
    return plan.stagings().stream()
        .map(
            staging ->
                runtime.engineFor(
                    new PartitionWork(
                        staging.specs(), PartitionWork.UNKNOWN_CELLS, staging.steps()),
                    conf))
        .toList();
  }

  /** Returns the CPU engine, which has nothing to give back: for arrays that come one by one. */
  public static List<StencilEngine> local(ArrayPlan plan) {
    return Collections.nCopies(plan.stagings().size(), new CpuEngine(Map.of()));
  }
}
