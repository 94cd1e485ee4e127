/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.error.ErrorCode;
import java.util.Map;

/**
 * What a task's engine has done; complete when it is closed.
 *
 * @param engine the engine that did the last of it
 * @param choice why the engine that was tried first was the first choice
 * @param outputCells output cells of all stencils and steps
 * @param stagedBytes bytes of cells staged, halos included
 * @param engineNanos nanoseconds in which the task submitted to and waited for engines
 * @param queueNanos nanoseconds in which it waited for its turn on a device
 * @param deviceTimes what devices spent on it
 * @param deviceBytes the most device memory that it had at once
 * @param fallbacks how often an engine failed and something else was done, by kind of failure
 */
public record TaskReport(
    String engine,
    EngineChoice choice,
    long outputCells,
    long stagedBytes,
    long engineNanos,
    long queueNanos,
    DeviceTimes deviceTimes,
    long deviceBytes,
    Map<ErrorCode, Integer> fallbacks) {
  /** Copies the map. */
  public TaskReport {
    fallbacks = Map.copyOf(fallbacks);
  }
}
