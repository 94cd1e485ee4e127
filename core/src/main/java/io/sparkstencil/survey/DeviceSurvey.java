/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import io.sparkstencil.error.StencilException;

/**
 * A device that experiments are run on, one after the other. Owns the memory that they measure in.
 * Not thread-safe.
 */
public interface DeviceSurvey extends AutoCloseable {
  /** Returns the device. */
  SurveyedDevice device();

  /**
   * Runs an experiment. Results are compared with what the CPU finds before they are timed.
   *
   * @throws StencilException if a result is wrong, or the device fails
   */
  Finding run(Experiment experiment);

  @Override
  void close();
}
