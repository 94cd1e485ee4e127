/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.NearestName;
import io.sparkstencil.error.StencilException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The providers whose engines may be used in this process, and the reasons against the others.
 *
 * @param usable in order of preference, at least one
 * @param skipped the others with their reasons
 */
record Selection<P extends Provider>(List<P> usable, List<Engines.Skipped> skipped) {
  /** Returns the providers on the class path, highest rank first. */
  static <P extends Provider> List<P> discover(Class<P> kind) {
    return ServiceLoader.load(kind, Selection.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.<P>comparingInt(Provider::rank).reversed())
        .toList();
  }

  /** Returns a name as engines have it. */
  static String lowerCase(String name) {
    return requireNonNull(name, "name is null").strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Selects engines by name.
   *
   * @param name {@code auto} for every working engine, highest rank first, or the name of one
   * @param providers the available engines, in any order
   * @throws InvalidStencilException if no engine of that name exists
   * @throws EngineUnavailableException if the engine cannot be used in this process
   */
  static <P extends Provider> Selection<P> of(String name, List<P> providers) {
    String wanted = lowerCase(name);
    boolean auto = wanted.equals(Engines.AUTO);
    if (!auto && providers.stream().noneMatch(p -> p.name().equals(wanted))) {
      throw Engines.NAMES.contains(wanted) ? notOnClassPath(wanted, providers) : unknown(name);
    }
    List<P> ranked = new ArrayList<>(providers);
    ranked.removeIf(provider -> auto && provider.rank() == Provider.ONLY_BY_NAME);
    ranked.sort(Comparator.<P>comparingInt(Provider::rank).reversed());
    List<P> usable = new ArrayList<>();
    List<Engines.Skipped> skipped = new ArrayList<>();
    for (P provider : ranked) {
      Optional<String> reason =
          auto || provider.name().equals(wanted)
              ? provider.unavailableReason()
              : Optional.of("engine %s was requested".formatted(wanted));
      reason.ifPresentOrElse(
          why -> skipped.add(new Engines.Skipped(provider.name(), why)),
          () -> usable.add(provider));
    }
    if (usable.isEmpty()) {
      throw new EngineUnavailableException(noneUsable(wanted, skipped));
    }
    return new Selection<>(usable, skipped);
  }

  static InvalidStencilException unknown(String name) {
    return new InvalidStencilException(
        "unknown engine \"%s\"%s known engines are %s"
            .formatted(
                name,
                NearestName.question(lowerCase(name), Engines.NAMES),
                String.join(", ", Engines.NAMES)));
  }

  private static StencilException notOnClassPath(String name, List<? extends Provider> providers) {
    List<String> there = providers.stream().map(Provider::name).sorted().toList();
    return new EngineUnavailableException(
        "engine %s is not on the class path, which has %s; add its jar or use engine auto"
            .formatted(name, there.isEmpty() ? "none" : String.join(", ", there)));
  }

  private static String noneUsable(String wanted, List<Engines.Skipped> skipped) {
    List<String> reasons =
        skipped.stream()
            .filter(s -> wanted.equals(Engines.AUTO) || s.engine().equals(wanted))
            .map(s -> "%s: %s".formatted(s.engine(), s.reason()))
            .toList();
    return reasons.isEmpty()
        ? "no engine is on the class path; add the spark-stencil jar"
        : "engine %s cannot be used here (%s); remove the cause or use another engine"
            .formatted(wanted, String.join("; ", reasons));
  }
}
