/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/** The completion of a submitted batch. */
@FunctionalInterface
public interface Completion {
  /** The completion of a batch that is already done. */
  Completion DONE = () -> {};

  /**
   * Waits until the outputs have been written.
   *
   * @throws io.sparkstencil.error.DeviceLostException if the device failed
   */
  void await();
}
