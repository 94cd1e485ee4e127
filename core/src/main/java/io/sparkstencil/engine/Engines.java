/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;

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
    String name = Selection.lowerCase(text);
    if (!NAMES.contains(name) && discover().stream().noneMatch(p -> p.name().equals(name))) {
      throw Selection.unknown(text);
    }
    return name;
  }

  /** Returns the providers on the class path, highest rank first. */
  public static List<EngineProvider> discover() {
    return Selection.discover(EngineProvider.class);
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
    Selection<EngineProvider> selection = Selection.of(name, providers);
    return new Engines(selection.usable(), selection.skipped());
  }
}
