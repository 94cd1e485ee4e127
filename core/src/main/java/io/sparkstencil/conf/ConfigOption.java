/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;

/**
 * An option as its user sees it. Declared once, as a constant; everything else about options is
 * derived from it.
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

  /** Which values of a type are allowed, and how that is said. */
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

  /** Begins the declaration of an option. */
  public static <T> Builder<T> option(String key, OptionType<T> type, T defaultValue) {
    return new Builder<>(key, type, defaultValue);
  }

  /** Returns the key. */
  public String key() {
    return key;
  }

  /** Returns the type of the value in words. */
  public String typeLabel() {
    return type.label();
  }

  /** Returns the value where none is set. */
  public T defaultValue() {
    return defaultValue;
  }

  /** Returns the value where none is set, as it would be written. */
  public String defaultText() {
    return type.format().apply(defaultValue);
  }

  /** Returns which values are allowed, in words; empty if all of the type are. */
  public String rangeLabel() {
    return range == null ? "" : range.label();
  }

  /** Returns when the value is read. */
  public OptionScope scope() {
    return scope;
  }

  /** Returns the first version that has this option. */
  public String since() {
    return since;
  }

  /** Returns what the option does. */
  public String doc() {
    return doc;
  }

  /**
   * Returns the value in {@code values}, or the default.
   *
   * @throws InvalidStencilException if it is not of the type or not in the range
   */
  public T read(Map<String, String> values) {
    String text = values.get(key);
    return text == null ? defaultValue : parse(text);
  }

  /**
   * Returns the value that {@code text} means.
   *
   * @throws InvalidStencilException if it is not of the type or not in the range
   */
  public T parse(String text) {
    T value;
    try {
      value = type.parse().apply(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidStencilException(
          "%s=%s is not of the type %s%s; set it to such a value or leave it out for %s. %s"
              .formatted(
                  key,
                  text,
                  type.label(),
                  range == null ? "" : ", in " + range.label(),
                  defaultText(),
                  doc),
          e);
    }
    if (range != null && !range.holds().test(value)) {
      throw new InvalidStencilException(
          "%s=%s is not in %s; set it to a value in that range or leave it out for %s. %s"
              .formatted(key, text, range.label(), defaultText(), doc));
    }
    return value;
  }

  @Override
  public String toString() {
    return key;
  }

  /** The declaration of an option in the making; {@link #doc} ends it. */
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

    /** Allows values from {@code least} to {@code most}; they must be comparable. */
    public Builder<T> range(T least, T most) {
      @SuppressWarnings("unchecked") // a range is asked for, so values have an order
      Comparable<T> low = (Comparable<T>) least;
      @SuppressWarnings("unchecked")
      Comparable<T> high = (Comparable<T>) most;
      range =
          new Range<>(
              "[%s, %s]".formatted(type.format().apply(least), type.format().apply(most)),
              value -> low.compareTo(value) <= 0 && high.compareTo(value) >= 0);
      return this;
    }

    /** Allows these values only. */
    public Builder<T> oneOf(List<T> values) {
      range =
          new Range<>(
              "{%s}".formatted(String.join(", ", values.stream().map(type.format()).toList())),
              values::contains);
      return this;
    }

    /** Says when the value is read. */
    public Builder<T> scope(OptionScope when) {
      scope = when;
      return this;
    }

    /** Says the first version that has the option. */
    public Builder<T> since(String version) {
      since = version;
      return this;
    }

    /** Says what the option does and ends the declaration. */
    public ConfigOption<T> doc(String text) {
      return new ConfigOption<>(this, text);
    }
  }
}
