/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;

/**
 * A configuration option: key, type, default, range and description. Each option is declared once,
 * as a constant; reading, checking and documentation are derived from the declaration.
 *
 * @param <T> Java type of the value
 */
public final class ConfigOption<T> {
  private final String key;
  private final OptionType<T> type;
  private final T defaultValue;
  private final Range<T> range;
  private final OptionScope scope;
  private final String since;
  private final String doc;

  /** The allowed values of a type, and their description. */
  private record Range<T>(String label, java.util.function.Predicate<T> holds) {}

  private ConfigOption(Builder<T> builder, String doc) {
    this.key = builder.key;
    this.type = builder.type;
    this.defaultValue = builder.defaultValue;
    this.range = builder.range;
    this.scope = requireNonNull(builder.scope, "scope is null");
    this.since = requireNonNull(builder.since, "since is null");
    this.doc = requireNonNull(doc, "doc is null");
    parse(defaultText());
  }

  /** Returns a builder for an option; {@link Builder#doc} completes the declaration. */
  public static <T> Builder<T> option(String key, OptionType<T> type, T defaultValue) {
    return new Builder<>(key, type, defaultValue);
  }

  /** Returns the key. */
  public String key() {
    return key;
  }

  /** Returns a description of the value's type. */
  public String typeLabel() {
    return type.label();
  }

  /** Returns the value to use if none is set. */
  public T defaultValue() {
    return defaultValue;
  }

  /** Returns the default as text that {@link #parse} accepts. */
  public String defaultText() {
    return type.format().apply(defaultValue);
  }

  /**
   * Returns a description of the allowed values, or an empty string if all values of the type are.
   */
  public String rangeLabel() {
    return range == null ? "" : range.label();
  }

  /** Returns when the value is read. */
  public OptionScope scope() {
    return scope;
  }

  /** Returns the version that introduced this option. */
  public String since() {
    return since;
  }

  /** Returns the description of the option. */
  public String doc() {
    return doc;
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
      this.key = requireNonNull(key, "key is null");
      this.type = requireNonNull(type, "type is null");
      this.defaultValue = requireNonNull(defaultValue, "default is null");
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
      return new ConfigOption<>(this, text);
    }
  }
}
