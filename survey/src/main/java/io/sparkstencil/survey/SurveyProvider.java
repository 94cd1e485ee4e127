/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes experiments with a kind of devices available; found by {@link java.util.ServiceLoader}. */
public interface SurveyProvider {
  /** Returns why no device can be surveyed on this machine; empty if one can. */
  Optional<String> unavailableReason();

  /** Returns the addresses of devices, in the form in which Spark assigns them. Probes devices. */
  List<String> devices();

  /** Returns all experiments, in their order. Needs no device. */
  List<Experiment> experiments();

  /**
   * Opens a survey of the device that {@link io.sparkstencil.engine.EngineProvider#DEVICE_OPTION}
   * names, or of the first.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if there is an {@link
   *     #unavailableReason}
   */
  DeviceSurvey openSurvey(Map<String, String> options);
}
