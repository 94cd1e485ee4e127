/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The engines of a process, and which of them a task is given. Safe for many threads. */
final class ProcessEngines implements AutoCloseable {
  /**
   * The engines for a task.
   *
   * @param engines in the order of preference, at least one
   * @param why why in this order
   * @param skipped why others are not among them, one line each
   */
  record Choice(List<ProcessEngine> engines, EngineChoice why, List<String> skipped) {}

  private final StencilConf conf;
  private final List<EngineProvider> providers;
  private final List<String> executorAddresses;
  private final Map<String, Engines> selections = new HashMap<>();
  private final Map<String, List<String>> devices = new HashMap<>();
  private final Map<String, ProcessEngine> engines = new ConcurrentHashMap<>(); // by label

  /**
   * Creates the set; nothing is probed yet.
   *
   * @param conf values of options
   * @param providers the engines on the class path
   * @param executorAddresses devices that Spark has assigned to the executor; may be empty
   */
  ProcessEngines(StencilConf conf, List<EngineProvider> providers, List<String> executorAddresses) {
    this.conf = conf;
    this.providers = List.copyOf(providers);
    this.executorAddresses = List.copyOf(executorAddresses);
  }

  /** Returns the engines that were asked for so far, a live view. */
  Collection<ProcessEngine> all() {
    return engines.values();
  }

  /**
   * Chooses engines for a task and counts the task with the first of them, until {@link
   * ProcessEngine#leave}; with the others it is counted when it gets them. Of several devices a
   * task gets the one that it has already, so that tasks with several engines never wait for each
   * other crosswise; else the one with the fewest tasks. Tasks are counted here and not by their
   * permits, which tasks that begin together ask for only after all have chosen.
   *
   * @param wanted the name of an engine or {@code auto}
   * @param fallback whether the task may have more than one
   * @param task the task's attempt
   * @param taskAddresses devices that Spark has assigned to the task; may be empty
   */
  synchronized Choice choose(
      String wanted, boolean fallback, PartitionWork work, long task, List<String> taskAddresses) {
    boolean auto = wanted.equals(Engines.AUTO);
    List<String> skipped = new ArrayList<>();
    List<ProcessEngine> usable = usable(wanted, task, taskAddresses, skipped);
    boolean asWanted = !usable.isEmpty() && (auto || usable.get(0).name().equals(wanted));
    if (usable.isEmpty() || (!asWanted && !fallback)) {
      throw new EngineUnavailableException(String.join("; ", skipped));
    }
    EngineChoice why = EngineChoice.ASKED_FOR;
    if (auto) {
      for (Engines.Skipped other : selection(wanted).skipped()) {
        skipped.add("engine %s is not used here: %s".formatted(other.engine(), other.reason()));
      }
      why = preferHostWhereFaster(usable, work);
    }
    usable.get(0).join(task);
    return new Choice(fallback ? usable : usable.subList(0, 1), why, skipped);
  }

  /** Returns an engine of each provider that may serve a task, and adds why others cannot. */
  private List<ProcessEngine> usable(
      String wanted, long task, List<String> taskAddresses, List<String> skipped) {
    List<ProcessEngine> usable = new ArrayList<>();
    for (EngineProvider provider : candidates(wanted)) {
      List<ProcessEngine> ofProvider = enginesOf(provider, taskAddresses);
      ofProvider.stream()
          .filter(engine -> engine.unusableBecause().isEmpty())
          .min(ownThenIdle(task))
          .ifPresentOrElse(
              usable::add,
              () -> ofProvider.forEach(lost -> skipped.add(lost.unusableBecause().orElseThrow())));
    }
    return usable;
  }

  /** Returns the wanted engine and, below it, those that may take over. */
  private List<EngineProvider> candidates(String wanted) {
    Engines selection = selection(wanted);
    if (wanted.equals(Engines.AUTO)) {
      return selection.usable();
    }
    List<EngineProvider> candidates = new ArrayList<>(selection.usable());
    for (EngineProvider other : selection(Engines.AUTO).usable()) {
      if (other.rank() < selection.preferred().rank()) {
        candidates.add(other);
      }
    }
    return candidates;
  }

  /** Probes engines once per name; a refusal is probed again, in case its cause is removed. */
  private synchronized Engines selection(String wanted) {
    return selections.computeIfAbsent(wanted, name -> Engines.select(name, providers));
  }

  /** Puts the host before the devices where it is estimated to be done first. */
  private static EngineChoice preferHostWhereFaster(
      List<ProcessEngine> usable, PartitionWork work) {
    ProcessEngine first = usable.get(0);
    Optional<ProcessEngine> host =
        usable.stream().filter(engine -> !engine.hasDevice()).findFirst();
    if (!first.hasDevice() || host.isEmpty()) {
      return EngineChoice.ONLY_ONE;
    }
    if (CostModel.prefersDevice(
        work, first.rates(), host.get().correction().factor(), first.correction().factor())) {
      return EngineChoice.DEVICE_FASTER;
    }
    usable.remove(host.get());
    usable.add(0, host.get());
    return EngineChoice.HOST_FASTER;
  }

  /** Returns the engines of a provider that a task may use: one for each of its devices. */
  private synchronized List<ProcessEngine> enginesOf(
      EngineProvider provider, List<String> taskAddresses) {
    List<String> visible = devices.computeIfAbsent(provider.name(), name -> provider.devices());
    if (visible.isEmpty()) {
      return List.of(engine(provider, null));
    }
    String pinned = conf.get(GpuOptions.DEVICE);
    List<String> addresses =
        !taskAddresses.isEmpty()
            ? taskAddresses
            : !executorAddresses.isEmpty()
                ? executorAddresses
                : pinned.isEmpty() ? visible : List.of(pinned);
    return addresses.stream().map(address -> engine(provider, address)).toList();
  }

  private ProcessEngine engine(EngineProvider provider, String device) {
    return engines.computeIfAbsent(
        ProcessEngine.label(provider, device), label -> new ProcessEngine(provider, device, conf));
  }

  /**
   * Returns the engine of the device on which a task runs programs, and counts the task with it
   * until {@link ProcessEngine#leave}: the device that the task has already, for windows or other
   * programs, else the one with the fewest tasks. Empty if there is none.
   */
  synchronized Optional<ProcessEngine> deviceOf(long task, List<String> taskAddresses) {
    List<ProcessEngine> onDevices = onDevices(taskAddresses);
    Collections.rotate(onDevices, (int) -Math.floorMod(task, (long) Math.max(1, onDevices.size())));
    Optional<ProcessEngine> found = onDevices.stream().min(ownThenIdle(task));
    found.ifPresent(engine -> engine.join(task));
    return found;
  }

  /**
   * Returns the engine of the device of a block that stays, and counts the task with it, as {@link
   * #deviceOf} does. Spark gives tasks the first device that has room for them, so that all blocks
   * would come to one; therefore those of the executor are shared out, if they are known.
   *
   * @param share where the block is among those of the executor, from 0 to less than 1
   */
  synchronized Optional<ProcessEngine> deviceAt(
      double share, long task, List<String> taskAddresses) {
    List<ProcessEngine> onDevices =
        onDevices(executorAddresses.isEmpty() ? taskAddresses : List.of());
    if (onDevices.isEmpty()) {
      return Optional.empty();
    }
    ProcessEngine found = onDevices.get((int) (share * onDevices.size()));
    found.join(task);
    return Optional.of(found);
  }

  private List<ProcessEngine> onDevices(List<String> taskAddresses) {
    return selection(Engines.AUTO).usable().stream()
        .flatMap(provider -> enginesOf(provider, taskAddresses).stream())
        .filter(engine -> engine.hasDevice() && engine.unusableBecause().isEmpty())
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Comparator<ProcessEngine> ownThenIdle(long task) {
    return Comparator.comparing((ProcessEngine engine) -> !engine.has(task))
        .thenComparingInt(ProcessEngine::tasks);
  }

  /** Returns all engines that tasks of this executor may be given under {@code auto}. */
  List<ProcessEngine> ofExecutor() {
    return selection(Engines.AUTO).usable().stream()
        .flatMap(provider -> enginesOf(provider, List.of()).stream())
        .toList();
  }

  /** Returns a line for each engine: what it is, or why it cannot be used. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    for (ProcessEngine engine : ofExecutor()) {
      try {
        lines.add("engine %s: %s".formatted(engine.label(), engine.open().description()));
      } catch (EngineUnavailableException e) {
        lines.add(e.getMessage());
      }
    }
    for (Engines.Skipped skipped : selection(Engines.AUTO).skipped()) {
      lines.add("engine %s is not used: %s".formatted(skipped.engine(), skipped.reason()));
    }
    return lines;
  }

  /** Learns from a task that the engine of its first choice has done alone. */
  void observe(PartitionWork work, ProcessEngine engine, TaskReport report) {
    if (!report.fallbacks().isEmpty() || report.outputCells() == 0) {
      return;
    }
    long cells = report.outputCells() / work.specs().size() / work.steps();
    double estimated = CostModel.nanos(engine.rates(), work, cells);
    engine.correction().observe(cells, estimated, (double) report.engineNanos());
  }

  /** Closes engines, those on devices first; an engine that cannot be closed is logged. */
  @Override
  public void close() {
    engines.values().stream()
        .sorted(Comparator.comparing(ProcessEngine::hasDevice).reversed())
        .forEach(ProcessEngines::closeQuietly);
  }

  private static void closeQuietly(ProcessEngine engine) {
    try {
      engine.close();
    } catch (RuntimeException e) {
      System.getLogger(ProcessEngines.class.getName())
          .log(System.Logger.Level.WARNING, "engine " + engine.label() + " does not close", e);
    }
  }
}
