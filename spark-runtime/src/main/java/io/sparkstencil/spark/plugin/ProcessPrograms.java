/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engines for programs of a process: by the name that queries give and by device, opened once.
 * Safe for many threads.
 */
final class ProcessPrograms implements AutoCloseable {
  /**
   * What tasks are given engines by.
   *
   * @param wanted the name of an engine or {@code auto}
   * @param device the address of a device; empty if there is none
   */
  private record Key(String wanted, String device) {}

  private final StencilConf conf;
  private final List<ProgramEngineProvider> providers;
  private final Map<Key, ProgramEngines> engines = new HashMap<>();
  private boolean closed;

  /**
   * Creates the set; nothing is probed yet.
   *
   * @param conf values of options
   */
  ProcessPrograms(StencilConf conf, List<ProgramEngineProvider> providers) {
    this.conf = conf;
    this.providers = List.copyOf(providers);
  }

  /**
   * Returns engines. Those that are refused are probed again the next time, in case the cause is
   * removed.
   *
   * @param wanted the name of an engine or {@code auto}
   * @param device the address of the task's device; empty if there is none
   * @throws io.sparkstencil.error.EngineUnavailableException if the engine cannot be used here
   */
  synchronized ProgramEngines engines(String wanted, String device) {
    if (closed) {
      throw new IllegalStateException("engines are used after they were closed");
    }
    return engines.computeIfAbsent(
        new Key(wanted, device),
        key -> {
          Map<String, String> options = new TreeMap<>(conf.values());
          if (!device.isEmpty()) {
            options.put(EngineProvider.DEVICE_OPTION, device);
          }
          return ProgramEngines.select(wanted, options, providers);
        });
  }

  @Override
  public synchronized void close() {
    closed = true;
    CloseScope.closeAll(engines.values());
    engines.clear();
  }
}
