/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.engine.EngineProvider;
import java.io.Serializable;

/** Finds, in the process of an executor, the engine that has experiments. */
@FunctionalInterface
public interface Surveyor extends Serializable {
  /** Returns the engine. */
  EngineProvider provider();
}
