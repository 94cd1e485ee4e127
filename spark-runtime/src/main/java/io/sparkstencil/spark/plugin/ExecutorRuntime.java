/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.failover.FailoverEngine.Reaction;
import io.sparkstencil.kernels.gpu.GpuEngine;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;

/**
 * What runs stencils in this process, one for all tasks: the engines, opened once, and the permits
 * of devices. The plugin starts it with the executor and stops it with it; without the plugin the
 * first task starts it.
 *
 * <p>It ends in this order: no task gets an engine any more; those that have one are told at their
 * next batch, and their lanes are waited for; engines close, devices first; a device's context is
 * the last that its engine gives up.
 */
public final class ExecutorRuntime implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ExecutorRuntime.class.getName());
  private static final int MOST_REASONS = 1000;
  private static final String SHUTTING_DOWN =
      "the engines of this process are shutting down; no task can begin";

  private static ExecutorRuntime current;

  private final RuntimeSetup setup;
  private final SparkEnv environment;
  private final ProcessEngines engines;
  private final ProcessPrograms programs;
  private final Map<Class<? extends Resident>, Resident> residents = new LinkedHashMap<>();
  private final boolean exitsOnDeviceLoss; // so that another process takes its place
  private final RuntimeMetrics metrics;
  private final Set<String> reasonsLogged = ConcurrentHashMap.newKeySet();
  private WarmUp warmUp;
  private int lanes;
  private boolean closing;
  private boolean timedOut;

  ExecutorRuntime(RuntimeSetup setup, SparkEnv environment) {
    this(setup, environment, ProgramEngines.discover());
  }

  /** Creates the runtime with these engines for programs. */
  ExecutorRuntime(
      RuntimeSetup setup, SparkEnv environment, List<ProgramEngineProvider> programEngines) {
    this.setup = setup;
    this.environment = environment;
    this.engines = new ProcessEngines(setup.conf(), setup.providers(), setup.addresses());
    this.programs = new ProcessPrograms(setup.conf(), programEngines);
    this.exitsOnDeviceLoss =
        !setup.inDriver() && setup.conf().get(StencilOptions.GPU_ON_DEVICE_LOST).equals("exit");
    this.metrics = new RuntimeMetrics(setup.registry(), engines.all());
  }

  /** Returns the runtime of this process, started now if neither the plugin nor a task has. */
  public static synchronized ExecutorRuntime current() {
    SparkEnv environment = SparkEnv.get();
    if (current != null && current.environment == environment) {
      if (!current.isClosing()) {
        return current;
      }
      if (environment != null) {
        throw new IllegalStateException(SHUTTING_DOWN);
      }
    }
    if (current != null) {
      current.close(); // of an application in this process that has ended
    }
    current = new ExecutorRuntime(RuntimeSetup.of(environment), environment);
    closeWithApplication(current);
    return current;
  }

  /** Starts the runtime of this process for the plugin, and opens engines in the background. */
  static synchronized ExecutorRuntime start(RuntimeSetup setup, SparkEnv environment) {
    if (current != null) {
      current.close();
    }
    current = new ExecutorRuntime(setup, environment);
    if (setup.conf().get(StencilOptions.WARM_UP)) {
      current.warmUp = WarmUp.start(current.engines);
    }
    return current;
  }

  /** In local mode no process ends with the application, so that nobody else would close it. */
  private static void closeWithApplication(ExecutorRuntime runtime) {
    if (runtime.setup.inDriver()) {
      ScalaInterop.activeContext()
          .ifPresent(
              context ->
                  context.addSparkListener(
                      new SparkListener() {
                        @Override
                        public void onApplicationEnd(SparkListenerApplicationEnd ended) {
                          runtime.close();
                        }
                      }));
    }
  }

  /**
   * Returns an engine for the calling task. It is given back when the task ends; outside of tasks
   * the caller closes it.
   *
   * @param work what is to be done
   * @param conf options as the query sees them; those that are read at executor start are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if the engine cannot be used here
   */
  public TaskEngine engineFor(PartitionWork work, StencilConf conf) {
    requireNonNull(work, "work is null");
    Caller caller = Caller.current();
    String wanted = conf.get(StencilOptions.ENGINE);
    boolean fallback = conf.get(StencilOptions.FALLBACK);
    ProcessEngines.Choice choice =
        engines.choose(wanted, fallback, work, caller.task(), caller.addresses());
    choice.skipped().forEach(this::logOnce);
    TaskEngine made = new TaskEngine(this, caller.context(), caller.task(), work, choice);
    if (caller.context() != null) {
      ScalaInterop.onCompletion(caller.context(), made::close);
    }
    return made;
  }

  /**
   * Returns a program for the calling task or, outside of tasks, for the caller; nothing has to be
   * given back.
   *
   * @param conf options as the query sees them; those that are read at executor start are ignored
   * @throws EngineUnavailableException if the engine that the options name cannot be used here
   */
  public TaskProgram program(StencilProgram program, StencilConf conf) {
    requireNonNull(program, "program is null");
    return program(program, conf, engines::deviceOf);
  }

  private TaskProgram program(
      StencilProgram program,
      StencilConf conf,
      BiFunction<Long, List<String>, Optional<ProcessEngine>> devices) {
    Caller caller = Caller.current();
    return new TaskProgram(this, program, conf, device(caller, conf, devices), caller.task());
  }

  /** Returns the device of a task; null if there is none or options name the host. */
  private static ProcessEngine device(
      Caller caller,
      StencilConf conf,
      BiFunction<Long, List<String>, Optional<ProcessEngine>> devices) {
    boolean onHost = TaskProgram.ON_HOST.contains(conf.get(StencilOptions.ENGINE));
    ProcessEngine device =
        onHost ? null : devices.apply(caller.task(), caller.addresses()).orElse(null);
    if (device != null && caller.context() != null) {
      ScalaInterop.onCompletion(caller.context(), () -> device.leave(caller.task()));
    } else if (device != null) {
      device.leave(caller.task()); // nobody would say when it ends
    }
    return device;
  }

  /** Returns what sorts the rows of the calling task on its device; empty if it has none. */
  public Optional<TaskSorts> sorts(StencilConf conf) {
    Caller caller = Caller.current();
    return Optional.ofNullable(device(caller, conf, engines::deviceOf))
        .map(device -> new TaskSorts(this, device, caller.task(), conf));
  }

  /**
   * Returns a program for a block of a grid, which stays longer than the calling task. So it is the
   * place of the block that decides on which of several devices it is, and not what else tasks do.
   *
   * @param conf as for {@link #program(StencilProgram, StencilConf)}
   * @param share where the block is among those of this executor, from 0 to less than 1
   */
  public TaskProgram program(StencilProgram program, StencilConf conf, double share) {
    return program(program, conf, (task, given) -> engines.deviceAt(share, task, given));
  }

  /**
   * Returns what the process holds of {@code type} as long as it has this runtime.
   *
   * @param first makes it of the executor's options, if nobody has asked before
   */
  public synchronized <R extends Resident> R resident(
      Class<R> type, Function<StencilConf, R> first) {
    Resident held = residents.get(type);
    if (held == null) {
      if (closing) {
        throw new IllegalStateException(SHUTTING_DOWN);
      }
      held = first.apply(setup.conf());
      held.show(setup.registry());
      residents.put(type, held);
    }
    return type.cast(held);
  }

  /** Returns the engines for programs. */
  ProcessPrograms programs() {
    return programs;
  }

  /**
   * Returns the engine of the GPU that has the memory at {@code address}, for those whose cells are
   * there already.
   *
   * @param address a device address, allocated by any library of this process
   * @throws EngineUnavailableException if the executor does not use that GPU
   */
  public GpuEngine gpuEngine(long address) {
    for (ProcessEngine engine : engines.ofExecutor()) {
      if (engine.holds(address) && engine.open() instanceof GpuEngine gpu) {
        return gpu;
      }
    }
    throw new EngineUnavailableException(
        "this executor has no engine for the GPU that the cells are on; it has: %s; assign it the same GPU as the library that they come from"
            .formatted(String.join("; ", engines.describe())));
  }

  /** Returns what the runtime was started with. */
  RuntimeSetup setup() {
    return setup;
  }

  /** Returns the number of lanes that tasks have. */
  synchronized int openLanes() {
    return lanes;
  }

  /** Counts a lane in, unless the runtime is closing. */
  synchronized void laneOpened() {
    if (closing) {
      throw new IllegalStateException(SHUTTING_DOWN);
    }
    lanes++;
  }

  /** Counts a lane out; the last one of a closing runtime closes the engines. */
  void laneClosed() {
    boolean last;
    synchronized (this) {
      lanes--;
      last = closing && timedOut && lanes == 0;
      notifyAll();
    }
    if (last) {
      closeEngines();
    }
  }

  /** Returns the number of tasks that have, or wait for, a permit of a device. */
  int permits() {
    return engines.all().stream().mapToInt(engine -> engine.held() + engine.waiting()).sum();
  }

  synchronized boolean isClosing() {
    return closing;
  }

  /** Counts a failure and logs its reason once; ends the process if a loss of its device must. */
  void failed(ProcessEngine engine, StencilException failure, Reaction reaction) {
    metrics.fallback(failure.code());
    String next =
        switch (reaction) {
          case SMALLER_BATCHES -> "it goes on with smaller batches";
          case NEXT_ENGINE -> "the next engine takes over";
          case GIVE_UP -> "no engine is left";
        };
    boolean ofStencil = failure instanceof UnsupportedStencilException;
    String what = ofStencil ? failure.getMessage() : failure.code().name();
    if (reasonsLogged.size() < MOST_REASONS
        && reasonsLogged.add("%s %s %s".formatted(engine.label(), reaction, what))) {
      LOG.log(
          System.Logger.Level.WARNING,
          "engine {0} failed: {1}; {2}; further failures of this kind are counted, not logged",
          engine.label(),
          failure.getMessage(),
          next);
    }
    if (failure instanceof DeviceLostException) {
      lost(engine, failure);
    }
  }

  /** Counts a failure of a program on a device; ends the process if a loss of it must. */
  void failed(ProcessEngine device, StencilException failure) {
    metrics.fallback(failure.code());
    if (failure instanceof DeviceLostException && device != null) {
      lost(device, failure);
    }
  }

  /** Marks a device lost, and ends the process if it is to end then. */
  private void lost(ProcessEngine engine, StencilException failure) {
    boolean first = engine.lose(failure.getMessage());
    if (exitsOnDeviceLoss || first) {
      LOG.log(
          System.Logger.Level.ERROR,
          "engine {0} has lost its device ({1}); {2}",
          engine.label(),
          failure.getMessage(),
          exitsOnDeviceLoss
              ? "this executor exits with code " + RuntimeSetup.DEVICE_LOST_CODE
              : "this process goes on without it");
    }
    if (exitsOnDeviceLoss) {
      setup.exit().accept(RuntimeSetup.DEVICE_LOST_CODE);
    }
  }

  private void logOnce(String reason) {
    if (reasonsLogged.size() < MOST_REASONS && reasonsLogged.add(reason)) {
      LOG.log(System.Logger.Level.INFO, reason);
    }
  }

  /** Adds what a task has done to the metrics and to what is known about the engine's speed. */
  void finished(TaskReport report, PartitionWork work, ProcessEngines.Choice choice) {
    metrics.add(report);
    engines.observe(work, choice.engines().get(0), report);
  }

  /** Ends what can be ended; tasks that outlast the time-out close the engines when they end. */
  @Override
  public void close() {
    WarmUp warming;
    List<Resident> held;
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
      warming = warmUp;
      held = List.copyOf(residents.values());
    }
    long millis = setup.conf().get(StencilOptions.SHUTDOWN_TIMEOUT);
    Patience patience = new Patience(millis);
    held.forEach(resident -> resident.close(patience.millis()));
    if (warming != null) {
      warming.stop(patience.millis());
    }
    boolean idle = awaitLanes(patience);
    if (idle) {
      closeEngines();
    } else {
      LOG.log(
          System.Logger.Level.WARNING,
          "tasks still use engines {0} ms after shutdown began; the last of them closes the engines",
          Long.toString(millis));
    }
  }

  private void closeEngines() {
    try {
      programs.close();
    } finally {
      engines.close();
    }
  }

  private synchronized boolean awaitLanes(Patience patience) {
    while (lanes > 0) {
      long left = patience.millis();
      if (left <= 0) {
        timedOut = true;
        return false;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        timedOut = true;
        return false;
      }
    }
    return true;
  }
}
