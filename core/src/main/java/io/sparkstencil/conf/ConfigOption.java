/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A configuration option: key, type, default, range and description. Each option is declared once,
 * as a constant; reading, checking and documentation are derived from the declaration.
 *
 * @param key the key
 * @param type the type of the value, with its text form
 * @param defaultValue the value to use if none is set
 * @param range the allowed values, or null if all values of the type are
 * @param scope when the value is read
 * @param since the version that introduced this option
 * @param doc the description of the option
 * @param <T> Java type of the value
 */
public record ConfigOption<T>(
    String key,
    OptionType<T> type,
    T defaultValue,
    Range<T> range,
    OptionScope scope,
    String since,
    String doc) {
  /** The allowed values of a type, and their description. */
  public record Range<T>(String label, Predicate<T> holds) {}

  /** Checks that the declaration is complete, and the default in the range. */
  public ConfigOption {
    requireNonNull(key, "key is null");
    requireNonNull(type, "type is null");
    requireNonNull(defaultValue, "default is null");
    requireNonNull(scope, "scope is null");
    requireNonNull(since, "since is null");
    requireNonNull(doc, "doc is null");
    if (range != null && !range.holds().test(defaultValue)) {
      throw new InvalidStencilException("the default of %s is not in its range".formatted(key));
    }
  }

  /** Returns a builder for an option; {@link Builder#doc} completes the declaration. */
  public static <T> Builder<T> option(String key, OptionType<T> type, T defaultValue) {
    return new Builder<>(key, type, defaultValue);
  }

  /** Returns the default as text that {@link #parse} accepts. */
  public String defaultText() {
    return type.format().apply(defaultValue);
  }

  /**
   * Returns the value in {@code values}, or the default.
   *
   * @throws InvalidStencilException if the text is not a value of the type, or not in the range
   */
  public T read(Map<String, String> values) {
    String text = values.get(key);
    return text == null ? defaultValue : parse(text);
  }

  /**
   * Returns the value that {@code text} denotes.
   *
   * @throws InvalidStencilException if the text is not a value of the type, or not in the range
   */
  public T parse(String text) {
    T value;
    try {
      value = type.parse().apply(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidStencilException(
          ("%s=%s is not valid: expected %s%s; set such a value, or remove the option to use the"
                  + " default, %s. %s")
              .formatted(
                  key,
                  text,
                  type.label(),
                  range == null ? "" : " in " + range.label(),
                  defaultText(),
                  doc),
          e);
    }
    if (range != null && !range.holds().test(value)) {
      throw new InvalidStencilException(
          ("%s=%s is not in %s; set a value in that range, or remove the option to use the"
                  + " default, %s. %s")
              .formatted(key, text, range.label(), defaultText(), doc));
    }
    return value;
  }

  @Override
  public String toString() {
    return key;
  }

  /** An unfinished declaration of an option; {@link #doc} completes it. */
  public static final class Builder<T> {
    private final String key;
    private final OptionType<T> type;
    private final T defaultValue;
    private Range<T> range;
    private OptionScope scope;
    private String since;

    private Builder(String key, OptionType<T> type, T defaultValue) {
      this.key = key;
      this.type = type;
      this.defaultValue = defaultValue;
    }

    /** Allows values from {@code least} to {@code most}, inclusive; the type must be comparable. */
    public Builder<T> range(T least, T most) {
      @SuppressWarnings("unchecked") // whoever asks for a range has values with an order
      Comparable<T> low = (Comparable<T>) least;
      @SuppressWarnings("unchecked")
      Comparable<T> high = (Comparable<T>) most;
      range =
          new Range<>(
              "[%s, %s]".formatted(type.format().apply(least), type.format().apply(most)),
              value -> low.compareTo(value) <= 0 && high.compareTo(value) >= 0);
      return this;
    }

    /** Allows only these values. */
    public Builder<T> oneOf(List<T> values) {
      range =
          new Range<>(
              "{%s}".formatted(String.join(", ", values.stream().map(type.format()).toList())),
              values::contains);
      return this;
    }

    /** Sets when the value is read. */
    public Builder<T> scope(OptionScope when) {
      scope = when;
      return this;
    }

    /** Sets the version that introduced the option. */
    public Builder<T> since(String version) {
      since = version;
      return this;
    }

    /** Sets the description and completes the declaration. */
    public ConfigOption<T> doc(String text) {
      return new ConfigOption<>(key, type, defaultValue, range, scope, since, text);
    }
  }
}
