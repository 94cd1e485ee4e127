/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import io.sparkstencil.kernels.gpu.GpuEngineProvider;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One engine of this process, on one device if it needs one: opened once, on first use, and shared
 * by all tasks. Safe for many threads.
 */
final class ProcessEngine implements AutoCloseable {
  private final EngineProvider provider;
  private final String device; // null for an engine that needs none
  private final Map<String, String> options;
  private final DevicePermits permits; // null without device
  private final CostModel.Correction correction = new CostModel.Correction();
  private final Map<Long, Integer> tasks = new ConcurrentHashMap<>(); // and the engines of each
  private StencilEngine engine;
  private CostModel.Rates rates; // null until they are asked
  private volatile String unusableBecause;
  private volatile boolean sorts = true; // rows, as far as is known
  private boolean closed;

  /**
   * Describes an engine that is not open yet.
   *
   * @param provider what opens it
   * @param device its device's address, or null if it needs none
   * @param conf values of options
   */
  ProcessEngine(EngineProvider provider, String device, StencilConf conf) {
    this.provider = provider;
    this.device = device;
    this.options = new TreeMap<>(conf.values());
    if (device == null) {
      this.permits = null;
    } else {
      this.permits = new DevicePermits(device, conf.get(StencilOptions.GPU_CONCURRENT_TASKS));
      options.put(EngineProvider.DEVICE_OPTION, device);
    }
  }

  String name() {
    return provider.name();
  }

  /** Returns the engine's name and its device, for logs. */
  String label() {
    return label(provider, device);
  }

  static String label(EngineProvider provider, String device) {
    return device == null ? provider.name() : provider.name() + " on device " + device;
  }

  boolean hasDevice() {
    return device != null;
  }

  /** Returns the address of the device; empty if the engine needs none. */
  String address() {
    return device == null ? "" : device;
  }

  /** Tells whether this is the engine of the GPU that has the memory at {@code address}. */
  boolean holds(long address) {
    return device != null
        && provider instanceof GpuEngineProvider gpu
        && gpu.holds(device, address);
  }

  /**
   * Waits for a permit to use the device; without device there is nothing to wait for.
   *
   * @param task the task's attempt
   * @param checkpoint called while waiting; throws if the task is to end
   */
  Permit admit(long task, Runnable checkpoint) {
    return permits == null ? Permit.FREE : permits.acquire(task, checkpoint);
  }

  /** Returns a permit to use the device if there is one at this moment. */
  Optional<Permit> tryAdmit(long task) {
    return permits == null ? Optional.of(Permit.FREE) : permits.tryAcquire(task);
  }

  /** Says that the device sorts no rows. */
  void refuseSorts() {
    sorts = false;
  }

  /** Tells whether the device may sort rows. */
  boolean sorts() {
    return sorts;
  }

  /** Returns the number of tasks that have a permit of the device. */
  int held() {
    return permits == null ? 0 : permits.held();
  }

  /** Returns the number of tasks that wait for a permit of the device. */
  int waiting() {
    return permits == null ? 0 : permits.waiting();
  }

  /** Returns what has been learnt about this engine's speed. */
  CostModel.Correction correction() {
    return correction;
  }

  /** Returns what this engine takes for a task's work, as far as is known before it is done. */
  synchronized CostModel.Rates rates() {
    if (rates == null) {
      rates = hasDevice() ? deviceRates() : CostModel.Rates.HOST;
    }
    return rates;
  }

  private CostModel.Rates deviceRates() {
    try {
      return CostModel.Rates.of(provider.costs(options));
    } catch (EngineUnavailableException e) { // it is not the one that decides, and open() says so
      return CostModel.Rates.DEVICE;
    }
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

  /** Returns why the engine cannot be used, or cannot any more; empty if nothing is known. */
  Optional<String> unusableBecause() {
    return Optional.ofNullable(unusableBecause);
  }

  /**
   * Returns the engine, opened on the first call.
   *
   * @throws EngineUnavailableException if it cannot be opened, now or before, or its device is lost
   */
  synchronized StencilEngine open() {
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
   * Marks the device lost: no task gets the engine from now on.
   *
   * @return whether it was not marked before
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
