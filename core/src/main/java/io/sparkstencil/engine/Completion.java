/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/** The end of a submitted batch. */
@FunctionalInterface
public interface Completion {
  /** A batch that is already done. */
  Completion DONE = () -> {};

  /**
   * Waits until outputs are written.
   *
   * @throws io.sparkstencil.error.DeviceLostException if the device failed
   */
  void await();
}
