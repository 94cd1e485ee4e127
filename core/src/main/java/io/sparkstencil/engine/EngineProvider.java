/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an engine is found, by {@link java.util.ServiceLoader}: one per jar that brings an engine.
 * Loading a provider never touches a device.
 */
public interface EngineProvider {
  /**
   * The option that says on which device to open an engine: one of {@link #devices()}, or any other
   * name by which the provider knows a device, such as a UUID.
   */
  String DEVICE_OPTION = "spark.stencil.gpu.device";

  /** Returns the engine's name. */
  String name();

  /** Returns the rank among engines under {@code auto}; the highest that works is used. */
  int rank();

  /** Returns why the engine cannot be opened in this process, or empty; probes the device. */
  Optional<String> unavailableReason();

  /**
   * Returns the addresses of the devices that an engine can be opened on, in the form in which
   * Spark's resource scheduling assigns them (the index in the order of the PCI bus); empty for an
   * engine that needs no device. Probes devices.
   */
  default List<String> devices() {
    return List.of();
  }

  /**
   * Opens the engine. A provider with devices opens one engine per device, the one that {@link
   * #DEVICE_OPTION} names or, without it, the first.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException where {@link #unavailableReason} says
   */
  StencilEngine open(Map<String, String> options);

  /**
   * Opens a search for faster schedules, where the engine has any to choose among.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if it has, but no device
   */
  default Optional<ScheduleTuning> openTuning(ScheduleTuning.Request request) {
    return Optional.empty();
  }
}
