/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The engines that may be used in this process, and the reasons against the others. Engines are
 * discovered on the class path and selected by name.
 *
 * @param usable engines in order of preference, at least one; each runs the stencils that the
 *     engines before it do not support
 * @param skipped every other engine with its reason
 */
public record Engines(List<EngineProvider> usable, List<Skipped> skipped) {
  /** The name that selects the best engine that works. */
  public static final String AUTO = "auto";

  /** The engine that runs on the cores of the CPU. */
  public static final String CPU = "cpu";

  /** The engine that runs on NVIDIA GPUs. */
  public static final String GPU = "gpu";

  /** The engine that computes one cell at a time, straight from the definition. */
  public static final String REFERENCE = "reference";

  /** The names that users can choose from. */
  public static final List<String> NAMES = List.of(AUTO, CPU, GPU, REFERENCE);

  /**
   * An engine that is not used.
   *
   * @param engine the engine's name
   * @param reason the reason, worded for the user
   */
  public record Skipped(String engine, String reason) {}

  /** Checks that there is at least one usable engine. */
  public Engines {
    usable = List.copyOf(usable);
    skipped = List.copyOf(skipped);
    if (usable.isEmpty()) {
      throw new IllegalArgumentException("no usable engine");
    }
  }

  /** Returns the preferred engine. */
  public EngineProvider preferred() {
    return usable.get(0);
  }

  /** Opens the preferred engine with the options in {@code spark.stencil.*} keys. */
  public StencilEngine open(Map<String, String> options) {
    return preferred().open(options);
  }

  /**
   * Returns the element of {@link #NAMES}, or the name of an engine on the class path, that equals
   * {@code text}, ignoring case.
   *
   * @throws InvalidStencilException if there is none
   */
  public static String parseName(String text) {
    String name = lowerCase(text);
    if (!NAMES.contains(name) && discover().stream().noneMatch(p -> p.name().equals(name))) {
      throw unknown(text);
    }
    return name;
  }

  private static String lowerCase(String name) {
    return requireNonNull(name, "name is null").strip().toLowerCase(Locale.ROOT);
  }

  /** Returns the providers on the class path, highest rank first. */
  public static List<EngineProvider> discover() {
    return ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(EngineProvider::rank).reversed())
        .toList();
  }

  private static InvalidStencilException unknown(String name) {
    return new InvalidStencilException(
        "unknown engine \"%s\"; known engines are %s".formatted(name, String.join(", ", NAMES)));
  }

  /**
   * Selects among the engines on the class path.
   *
   * @see #select(String, List)
   */
  public static Engines select(String name) {
    return select(name, discover());
  }

  /**
   * Selects engines by name.
   *
   * @param name {@code auto} for every working engine, highest rank first, or the name of one
   *     engine
   * @param providers the available engines, in any order
   * @throws InvalidStencilException if no engine of that name exists
   * @throws EngineUnavailableException if the engine cannot be used in this process
   */
  public static Engines select(String name, List<EngineProvider> providers) {
    String wanted = lowerCase(name);
    boolean auto = wanted.equals(AUTO);
    if (!auto && providers.stream().noneMatch(p -> p.name().equals(wanted))) {
      throw NAMES.contains(wanted) ? notOnClassPath(wanted, providers) : unknown(name);
    }
    List<EngineProvider> ranked = new ArrayList<>(providers);
    ranked.sort(Comparator.comparingInt(EngineProvider::rank).reversed());
    List<EngineProvider> usable = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    for (EngineProvider provider : ranked) {
      Optional<String> reason =
          auto || provider.name().equals(wanted)
              ? provider.unavailableReason()
              : Optional.of("engine %s was requested".formatted(wanted));
      reason.ifPresentOrElse(
          why -> skipped.add(new Skipped(provider.name(), why)), () -> usable.add(provider));
    }
    if (usable.isEmpty()) {
      throw new EngineUnavailableException(noneUsable(wanted, skipped));
    }
    return new Engines(usable, skipped);
  }

  private static StencilException notOnClassPath(String name, List<EngineProvider> providers) {
    List<String> there = providers.stream().map(EngineProvider::name).sorted().toList();
    return new EngineUnavailableException(
        "engine %s is not on the class path, which has %s; add its jar or use engine auto"
            .formatted(name, there.isEmpty() ? "none" : String.join(", ", there)));
  }

  private static String noneUsable(String wanted, List<Skipped> skipped) {
    List<String> reasons =
        skipped.stream()
            .filter(s -> wanted.equals(AUTO) || s.engine().equals(wanted))
            .map(s -> "%s: %s".formatted(s.engine(), s.reason()))
            .toList();
    return reasons.isEmpty()
        ? "no engine is on the class path; add the spark-stencil jar"
        : "engine %s cannot be used here (%s); remove the cause or use another engine"
            .formatted(wanted, String.join("; ", reasons));
  }
}
