/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.kernels.gpu.GpuEngineProvider;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One engine of this process, on one device if it needs one: opened once, on first use. Safe for
 * many threads.
 */
final class ProcessEngine implements AutoCloseable {
  private final EngineProvider provider;
  private final String device;
  private final Map<String, String> options;
  private final DevicePermits permits;
  private final RateBook rates = new RateBook();
  private final Map<Long, Integer> tasks = new ConcurrentHashMap<>(); // and the engines of each
  private StencilEngine engine;
  private volatile String unusableBecause;
  private boolean closed;

  /**
   * Describes an engine that is not open yet.
   *
   * @param provider what opens it
   * @param device its device's address, or null if it needs none
   * @param options values of options
   * @param permits leave to use the device; null without device
   */
  ProcessEngine(
      EngineProvider provider, String device, Map<String, String> options, DevicePermits permits) {
    this.provider = provider;
    this.device = device;
    this.options = new TreeMap<>(options);
    this.permits = permits;
    if (device != null) {
      this.options.put(EngineProvider.DEVICE_OPTION, device);
    }
  }

  /** Returns the engine's name. */
  String name() {
    return provider.name();
  }

  /** Returns the engine's name and its device, for logs. */
  String label() {
    return device == null ? name() : name() + " on device " + device;
  }

  /** Tells whether this is the engine of {@code provider} on {@code address}, which may be null. */
  boolean is(EngineProvider other, String address) {
    return provider.name().equals(other.name()) && Objects.equals(device, address);
  }

  /** Tells whether this is the engine of the GPU that has the memory at {@code address}. */
  boolean holds(long address) {
    return device != null
        && provider instanceof GpuEngineProvider gpu
        && gpu.holds(device, address);
  }

  boolean hasDevice() {
    return device != null;
  }

  DevicePermits permits() {
    return permits;
  }

  RateBook rates() {
    return rates;
  }

  /** Counts an engine of a task in, long before the task asks for a permit. */
  void join(long task) {
    tasks.merge(task, 1, Integer::sum);
  }

  /** Counts it out. */
  void leave(long task) {
    tasks.computeIfPresent(task, (id, engines) -> engines == 1 ? null : engines - 1);
  }

  /** Tells whether the task has been given this engine before and still has it. */
  boolean has(long task) {
    return tasks.containsKey(task);
  }

  /** Returns the number of tasks that have been given this engine and still have it. */
  int tasks() {
    return tasks.size();
  }

  /** Returns why the engine cannot be used any more, or at all; empty as long as that is open. */
  Optional<String> unusableBecause() {
    return Optional.ofNullable(unusableBecause);
  }

  /**
   * Returns the engine, opened on the first call.
   *
   * @throws EngineUnavailableException if it cannot be opened, now or before, or its device is lost
   */
  synchronized StencilEngine engine() {
    if (closed) {
      throw new EngineUnavailableException("engine %s is closed".formatted(label()));
    }
    if (unusableBecause != null) {
      throw new EngineUnavailableException(unusableBecause);
    }
    if (engine == null) {
      try {
        engine = provider.open(options);
      } catch (RuntimeException | LinkageError e) {
        unusableBecause = "engine %s cannot be opened: %s".formatted(label(), e.getMessage());
        throw new EngineUnavailableException(unusableBecause, e);
      }
    }
    return engine;
  }

  /**
   * Says that the device is lost: nobody gets the engine from now on.
   *
   * @return whether nobody has said so before
   */
  synchronized boolean lose(String reason) {
    boolean first = unusableBecause == null;
    if (first) {
      unusableBecause = "engine %s has lost its device: %s".formatted(label(), reason);
    }
    return first;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (engine != null) {
      StencilEngine closing = engine;
      engine = null;
      closing.close();
    }
  }
}
