/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes an engine for stencils available; one per jar that contains an engine. */
public interface EngineProvider extends Provider {
  /**
   * The option that names the device on which to open an engine: one of {@link #devices()}, or
   * another name that the provider accepts, such as a UUID.
   */
  String DEVICE_OPTION = "spark.stencil.gpu.device";

  /**
   * Returns the addresses of the devices on which an engine can be opened, in the form in which
   * Spark's resource scheduling assigns them (the index in PCI bus order). Returns an empty list if
   * the engine needs no device. Probes devices.
   */
  default List<String> devices() {
    return List.of();
  }

  /**
   * Opens the engine. A provider with devices opens one engine per device: on the device that
   * {@link #DEVICE_OPTION} names or, without that option, on the first.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if there is an {@link
   *     #unavailableReason}
   */
  StencilEngine open(Map<String, String> options);

  /**
   * Opens a search for faster schedules, or returns empty if the engine has no schedules to choose
   * from.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if the engine has schedules but no
   *     device
   */
  default Optional<ScheduleTuning> openTuning(ScheduleTuning.Request request) {
    return Optional.empty();
  }

  /**
   * Returns what is known of the device that {@link #DEVICE_OPTION} names, or of the first.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if there is no such device
   */
  default DeviceCosts costs(Map<String, String> options) {
    return DeviceCosts.UNKNOWN;
  }
}
