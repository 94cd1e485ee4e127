/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The engines for programs that may be used in a process. Each is opened when the first run needs
 * it. An engine that fails to open, or loses its device, is not used again. Safe for many threads.
 */
public final class ProgramEngines implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ProgramEngines.class.getName());

  /** Failures that another engine may not have. */
  private static final Set<ErrorCode> OF_ENGINES =
      EnumSet.of(
          ErrorCode.UNSUPPORTED,
          ErrorCode.ENGINE_UNAVAILABLE,
          ErrorCode.OUT_OF_DEVICE_MEMORY,
          ErrorCode.KERNEL_COMPILATION);

  private final List<ProgramEngineProvider> providers;
  private final Map<String, String> options;
  private final List<Engines.Skipped> skipped = new ArrayList<>(); // guarded by this
  private final Map<String, ProgramEngine> open = new HashMap<>(); // guarded by this
  private final Set<List<Object>> logged = new HashSet<>(); // engines with kinds of failures
  private boolean closed;

  private ProgramEngines(Selection<ProgramEngineProvider> selection, Map<String, String> options) {
    providers = selection.usable();
    skipped.addAll(selection.skipped());
    this.options = new TreeMap<>(options);
  }

  /**
   * Selects among the engines on the class path. Probes devices.
   *
   * @param name {@code auto} for all working engines, or the name of one
   * @param options values of {@code spark.stencil.*} keys
   * @throws InvalidStencilException if no engine has this name
   * @throws EngineUnavailableException if no engine of this name can be used in this process
   */
  public static ProgramEngines select(String name, Map<String, String> options) {
    return select(name, options, discover());
  }

  /** Returns the providers on the class path, highest rank first. */
  public static List<ProgramEngineProvider> discover() {
    return Selection.discover(ProgramEngineProvider.class);
  }

  /** Selects among engines; see {@link #select(String, Map)}. */
  public static ProgramEngines select(
      String name, Map<String, String> options, List<ProgramEngineProvider> providers) {
    return new ProgramEngines(Selection.of(name, providers), options);
  }

  /** Compiles a program for whichever engine is the best for a run. */
  public BestProgram compile(StencilProgram program) {
    return new BestProgram(this, program);
  }

  /** Returns the engines that may do some work, the fastest by their estimates first. */
  public synchronized ProgramChoice choose(ProgramWork work) {
    List<ProgramChoice.Candidate> candidates = new ArrayList<>();
    for (ProgramEngineProvider provider : providers) {
      if (skipped.stream().noneMatch(each -> each.engine().equals(provider.name()))) {
        candidates.add(new ProgramChoice.Candidate(provider.name(), provider.estimate(work)));
      }
    }
    if (candidates.isEmpty()) {
      throw new EngineUnavailableException("no engine is left for programs: " + skipped);
    }
    candidates.sort(Comparator.comparingDouble(candidate -> candidate.estimate().seconds()));
    return new ProgramChoice(work, candidates, skipped);
  }

  /** Returns an engine, opened on the first call. */
  synchronized ProgramEngine engine(String name) {
    if (closed) {
      throw new IllegalStateException("engines are used after they were closed");
    }
    ProgramEngine known = open.get(name);
    if (known != null) {
      return known;
    }
    ProgramEngineProvider provider =
        providers.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    try {
      ProgramEngine opened = provider.open(options);
      open.put(name, opened);
      return opened;
    } catch (InvalidStencilException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      String reason = "it cannot be opened: " + e.getMessage();
      skip(name, reason);
      throw new EngineUnavailableException("engine %s: %s".formatted(name, reason), e);
    }
  }

  /**
   * Tells whether another engine may do what one has failed to do; never uses a lost device again.
   */
  synchronized boolean mayTakeOver(String failed, StencilException failure) {
    boolean lost = failure.code() == ErrorCode.DEVICE_LOST;
    if (lost) {
      skip(failed, failure.getMessage());
    }
    boolean ofEngine = lost || OF_ENGINES.contains(failure.code());
    if (ofEngine && logged.add(List.of(failed, failure.code()))) {
      LOG.log(
          System.Logger.Level.WARNING,
          "engine {0}: {1}; further failures of this kind are not logged",
          failed,
          failure.getMessage());
    }
    return ofEngine;
  }

  private void skip(String name, String reason) {
    if (skipped.stream().noneMatch(each -> each.engine().equals(name))) {
      skipped.add(new Engines.Skipped(name, reason));
    }
  }

  /** Closes the engines that were opened; no program may be running. */
  @Override
  public synchronized void close() {
    closed = true;
    CloseScope.closeAll(open.values());
    open.clear();
  }
}
