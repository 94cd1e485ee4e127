/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import io.sparkstencil.error.StencilException;
import java.nio.file.Path;
import java.util.Optional;

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

  /**
   * Measures what the engine's choices depend on, and keeps it where the engine looks for it: in
   * the folder of measurements that the options name.
   *
   * @param otherwise the folder to keep it in if they name none
   * @return the file; empty if there is no folder
   * @throws StencilException if the file cannot be written, or the device fails
   */
  Optional<Path> keepProfile(Optional<Path> otherwise);

  @Override
  void close();
}
