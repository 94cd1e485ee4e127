/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.NearestName;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The values of all options, immutable and checked on creation. Sent to tasks with the query.
 *
 * @param values the values that are set, by key in their order; engines are opened with them
 */
public record StencilConf(Map<String, String> values) implements Serializable {
  /** Options of earlier versions that no longer decide anything, and may still be set. */
  private static final Set<String> RETIRED = Set.of("spark.stencil.sql.columnar.enabled");

  /** The defaults. */
  public static final StencilConf DEFAULTS = new StencilConf(Map.of());

  /**
   * Takes the options from Spark's configuration values. Keys that do not begin with {@value
   * StencilOptions#PREFIX} are ignored, and so are options of earlier versions.
   *
   * @throws InvalidStencilException if a key is not an option, or if a value is not valid for it
   */
  public StencilConf {
    TreeMap<String, String> ours = new TreeMap<>();
    requireNonNull(values, "configuration is null")
        .forEach(
            (key, value) -> {
              if (key.startsWith(StencilOptions.PREFIX) && !RETIRED.contains(key)) {
                optionOf(key).parse(value);
                if (key.equals(StencilOptions.ENGINE.key())) {
                  requireKnownEngine(key, value);
                }
                ours.put(key, value);
              }
            });
    values = Collections.unmodifiableSortedMap(ours);
  }

  private static void requireKnownEngine(String key, String value) {
    try {
      Engines.parseName(value);
    } catch (InvalidStencilException e) {
      throw new InvalidStencilException("%s=%s: %s".formatted(key, value, e.getMessage()), e);
    }
  }

  private static ConfigOption<?> optionOf(String key) {
    for (ConfigOption<?> option : StencilOptions.ALL) {
      if (option.key().equals(key)) {
        return option;
      }
    }
    throw new InvalidStencilException(
        nearest(key)
            .map(nearest -> "unknown option %s; did you mean %s?".formatted(key, nearest))
            .orElseGet(
                () -> "unknown option %s; known options are %s".formatted(key, knownKeys())));
  }

  private static String knownKeys() {
    return String.join(", ", StencilOptions.ALL.stream().map(ConfigOption::key).toList());
  }

  private static Optional<String> nearest(String key) {
    int common = StencilOptions.PREFIX.length();
    return NearestName.of(
            key.substring(common),
            StencilOptions.ALL.stream().map(option -> option.key().substring(common)).toList())
        .map(StencilOptions.PREFIX::concat);
  }

  /** Returns the value of an option. */
  public <T> T get(ConfigOption<T> option) {
    return option.read(values);
  }

  /** Returns these values with {@code overrides} in place of some, checked like all others. */
  public StencilConf with(Map<String, String> overrides) {
    Map<String, String> merged = new TreeMap<>(values);
    merged.putAll(overrides);
    return new StencilConf(merged);
  }
}
