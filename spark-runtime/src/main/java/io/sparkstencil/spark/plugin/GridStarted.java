/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Says to listeners that a grid has been created, and how they ask what it has done.
 *
 * @param cells its extent and the type of its cells
 * @param program what its steps compute
 * @param blocks the number of its blocks
 * @param stepsPerExchange the steps between two exchanges of halos
 * @param state tells what it has done so far
 */
public record GridStarted(
    String cells, String program, int blocks, int stepsPerExchange, Supplier<State> state)
    implements SparkListenerEvent {
  /**
   * What a grid has done so far.
   *
   * @param open whether it has not been closed
   * @param supersteps the supersteps of all blocks
   * @param replayed those that were taken again
   * @param cellSteps the cells that were computed, halos included, once per step
   * @param stepSeconds the time of tasks for steps
   * @param exchangeSeconds the time of tasks for halos
   * @param faceBytes the bytes that blocks have given each other
   * @param deviceBytes the bytes of blocks in the memory of GPUs
   * @param diskBytes the bytes of blocks that wait in files
   * @param engines what took the steps
   */
  public record State(
      boolean open,
      long supersteps,
      long replayed,
      long cellSteps,
      double stepSeconds,
      double exchangeSeconds,
      long faceBytes,
      long deviceBytes,
      long diskBytes,
      Set<String> engines) {}

  @Override
  public boolean logEvent() {
    return false;
  }
}
