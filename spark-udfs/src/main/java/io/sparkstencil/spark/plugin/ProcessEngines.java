/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.EngineSelection;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The engines of a process, and which of them a task is given. Safe for many threads. */
final class ProcessEngines implements AutoCloseable {
  /**
   * The engines for a task.
   *
   * @param slots in the order of preference, at least one
   * @param why why in this order
   * @param reason the same in words
   * @param skipped why others are not among them, one line each
   */
  record Choice(List<ProcessEngine> slots, EngineChoice why, String reason, List<String> skipped) {}

  private final StencilConf conf;
  private final List<EngineProvider> providers;
  private final List<String> executorAddresses;
  private final Map<String, EngineSelection> selections = new HashMap<>();
  private final Map<String, List<String>> devices = new HashMap<>();
  private final List<ProcessEngine> opened = new CopyOnWriteArrayList<>();

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

  /** Returns the slots that were asked for so far, a live view. */
  Collection<ProcessEngine> all() {
    return opened;
  }

  /**
   * Chooses engines for a task and counts it in with the first of them, until {@link
   * ProcessEngine#leave}; with others it is counted when it gets them. Of several devices a task
   * gets the one that it has already, so that tasks with several engines never wait for each other
   * crosswise; else the one with the fewest tasks. They are counted here and not by the permits,
   * which tasks that begin together ask for only after all have chosen.
   *
   * @param wanted the name of an engine or {@code auto}
   * @param fallback whether the task may have more than one
   * @param task the task's attempt
   * @param taskAddresses devices that Spark has assigned to the task; may be empty
   */
  synchronized Choice choose(
      String wanted, boolean fallback, PartitionWork work, long task, List<String> taskAddresses) {
    Choice choice = choice(wanted, fallback, work, task, taskAddresses);
    choice.slots().get(0).join(task);
    return choice;
  }

  private Choice choice(
      String wanted, boolean fallback, PartitionWork work, long task, List<String> taskAddresses) {
    EngineSelection selection = selection(wanted);
    List<String> skipped = new ArrayList<>();
    List<ProcessEngine> slots = new ArrayList<>();
    for (EngineProvider provider : candidates(wanted, selection)) {
      List<ProcessEngine> ofProvider = slotsOf(provider, taskAddresses);
      Optional<ProcessEngine> free =
          ofProvider.stream()
              .filter(slot -> slot.unusableBecause().isEmpty())
              .min(
                  Comparator.comparing((ProcessEngine slot) -> !slot.has(task))
                      .thenComparingInt(ProcessEngine::tasks));
      if (free.isPresent()) {
        slots.add(free.get());
      } else {
        ofProvider.forEach(slot -> skipped.add(slot.unusableBecause().orElseThrow()));
      }
    }
    boolean named = !wanted.equals(Engines.AUTO);
    boolean otherwise = slots.isEmpty() || (named && !slots.get(0).name().equals(wanted));
    if (slots.isEmpty() || (otherwise && !fallback)) {
      throw new EngineUnavailableException(String.join("; ", skipped));
    }
    if (!named) {
      for (EngineSelection.Skipped other : selection.skipped()) {
        skipped.add("engine %s is not used here: %s".formatted(other.engine(), other.reason()));
      }
    }
    Choice choice =
        named
            ? new Choice(
                slots, EngineChoice.ASKED_FOR, "engine %s was asked for".formatted(wanted), skipped)
            : weigh(slots, work, skipped);
    return fallback
        ? choice
        : new Choice(choice.slots().subList(0, 1), choice.why(), choice.reason(), choice.skipped());
  }

  /** Returns the wanted engine and, below it, those that may take over. */
  private List<EngineProvider> candidates(String wanted, EngineSelection selection) {
    if (wanted.equals(Engines.AUTO)) {
      return selection.usable();
    }
    EngineProvider named = selection.preferred();
    List<EngineProvider> candidates = new ArrayList<>(List.of(named));
    for (EngineProvider other : selection(Engines.AUTO).usable()) {
      if (other.rank() < named.rank()) {
        candidates.add(other);
      }
    }
    return candidates;
  }

  /** Probes engines once per name; a refusal is probed again, in case its cause is removed. */
  private synchronized EngineSelection selection(String wanted) {
    return selections.computeIfAbsent(wanted, name -> Engines.select(name, providers));
  }

  /** Puts the host before the devices where it is estimated to be done first. */
  private static Choice weigh(List<ProcessEngine> slots, PartitionWork work, List<String> skipped) {
    ProcessEngine first = slots.get(0);
    Optional<ProcessEngine> host = slots.stream().filter(slot -> !slot.hasDevice()).findFirst();
    if (!first.hasDevice() || host.isEmpty()) {
      String reason = "%s is the best engine here".formatted(first.name());
      return new Choice(slots, EngineChoice.ONLY_ONE, reason, skipped);
    }
    CostModel.Decision decision =
        CostModel.decide(work, host.get().rates().correction(), first.rates().correction());
    List<ProcessEngine> ordered = new ArrayList<>(slots);
    if (!decision.onDevice()) {
      ordered.remove(host.get());
      ordered.add(0, host.get());
    }
    String reason = "%s: %s".formatted(ordered.get(0).name(), decision.reason());
    EngineChoice why = decision.onDevice() ? EngineChoice.DEVICE_FASTER : EngineChoice.HOST_FASTER;
    return new Choice(ordered, why, reason, skipped);
  }

  /** Returns the slots of an engine that a task may use: one for each of its devices. */
  private synchronized List<ProcessEngine> slotsOf(
      EngineProvider provider, List<String> taskAddresses) {
    List<String> visible = devices.computeIfAbsent(provider.name(), name -> provider.devices());
    if (visible.isEmpty()) {
      return List.of(slot(provider, null));
    }
    String pinned = conf.get(GpuOptions.DEVICE);
    List<String> addresses =
        !taskAddresses.isEmpty()
            ? taskAddresses
            : !executorAddresses.isEmpty()
                ? executorAddresses
                : pinned.isEmpty() ? visible : List.of(pinned);
    return addresses.stream().map(address -> slot(provider, address)).toList();
  }

  private ProcessEngine slot(EngineProvider provider, String device) {
    for (ProcessEngine slot : opened) {
      if (slot.is(provider, device)) {
        return slot;
      }
    }
    DevicePermits permits =
        device == null
            ? null
            : new DevicePermits(device, conf.get(StencilOptions.GPU_CONCURRENT_TASKS));
    ProcessEngine slot = new ProcessEngine(provider, device, conf.toMap(), permits);
    opened.add(slot);
    return slot;
  }

  /** Returns all slots that tasks of this executor may be given under {@code auto}. */
  List<ProcessEngine> warm() {
    List<ProcessEngine> slots = new ArrayList<>();
    for (EngineProvider provider : selection(Engines.AUTO).usable()) {
      slots.addAll(slotsOf(provider, List.of()));
    }
    return slots;
  }

  /** Returns a line for each engine: what it is, or why it cannot be used. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    for (ProcessEngine slot : warm()) {
      try {
        lines.add("engine %s: %s".formatted(slot.label(), slot.engine().description()));
      } catch (EngineUnavailableException e) {
        lines.add(e.getMessage());
      }
    }
    for (EngineSelection.Skipped skipped : selection(Engines.AUTO).skipped()) {
      lines.add("engine %s is not used: %s".formatted(skipped.engine(), skipped.reason()));
    }
    return lines;
  }

  /** Learns from a task that the engine of its first choice has done alone. */
  void observe(PartitionWork work, ProcessEngine slot, TaskReport report) {
    if (!report.fallbacks().isEmpty() || report.outputCells() == 0) {
      return;
    }
    long cells = report.outputCells() / work.specs().size() / work.steps();
    EngineRates rates = slot.hasDevice() ? EngineRates.DEVICE : EngineRates.HOST;
    slot.rates().observe(cells, CostModel.nanos(rates, work, cells), (double) report.engineNanos());
  }

  /** Closes engines, those on devices first; an engine that cannot be closed is logged. */
  @Override
  public void close() {
    opened.stream()
        .sorted(Comparator.comparing(ProcessEngine::hasDevice).reversed())
        .forEach(ProcessEngines::closeQuietly);
  }

  private static void closeQuietly(ProcessEngine slot) {
    try {
      slot.close();
    } catch (RuntimeException e) {
      System.getLogger(ProcessEngines.class.getName())
          .log(System.Logger.Level.WARNING, "engine " + slot.label() + " does not close", e);
    }
  }
}
