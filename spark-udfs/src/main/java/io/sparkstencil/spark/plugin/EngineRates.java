/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

/**
 * What an engine takes for one task's work, in nanoseconds of one task among those that share a
 * machine.
 *
 * @param perPartition opening a lane, leasing memory, launching
 * @param perByte copying one byte of cells in or results out
 * @param perCell one output, for each byte of the element type
 * @param perTap one tap of one output
 */
record EngineRates(double perPartition, double perByte, double perCell, double perTap) {
  /**
   * One core of 16 over f32, copies of arrays included: mean exact at 9.0, 8.6 and 5.1 G cells/s on
   * all 16 for 3, 17 and 65 taps is 1.8, 1.9 and 3.1 ns a cell, so 1.7 ns and 0.022 ns a tap.
   */
  static final EngineRates HOST = new EngineRates(10_000, 0, 1.7 / 4, 0.022);

  /**
   * One of 16 tasks of an H200: heap to pinned to device and back at 9.6 G cells/s of f32 is 1.67
   * ns a cell of 4 bytes each way; 65 taps take 0.405 ms for 2^27 cells, a 16th of the device for
   * each task.
   */
  static final EngineRates DEVICE = new EngineRates(300_000, 0.208, 0, 0.0008);
}
