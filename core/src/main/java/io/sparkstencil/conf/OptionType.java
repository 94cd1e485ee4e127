/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of an option's value, with its text form.
 *
 * @param label a description of the type
 * @param parse parses text; throws {@link IllegalArgumentException} if the text is not valid
 * @param format formats a value such that {@code parse} returns it
 * @param <T> Java type of the value
 */
public record OptionType<T>(String label, Function<String, T> parse, Function<T, String> format) {
  private static final Pattern AMOUNT = Pattern.compile("(-?\\d+)\\s*([a-z]*)");
  private static final Map<String, Long> BYTE_UNITS =
      Map.of(
          "", 1L, "b", 1L, "k", 1L << 10, "kb", 1L << 10, "m", 1L << 20, "mb", 1L << 20, "g",
          1L << 30, "gb", 1L << 30);
  private static final Map<String, Long> TIME_UNITS =
      Map.of("", 1L, "ms", 1L, "s", 1000L, "min", 60_000L);

  /** True or false. */
  public static final OptionType<Boolean> BOOLEAN =
      new OptionType<>("true or false", OptionType::parseBoolean, String::valueOf);

  /** An integer. */
  public static final OptionType<Integer> INTEGER =
      new OptionType<>("integer", Integer::valueOf, String::valueOf);

  /** A number of bytes, optionally with a binary unit: 65536, 64k, 1m, 2g. */
  public static final OptionType<Long> BYTES =
      new OptionType<>(
          "bytes (k, m, g)", text -> parseAmount(text, BYTE_UNITS), OptionType::formatBytes);

  /** A time in milliseconds, optionally with a unit: 500, 500ms, 10s, 2min. */
  public static final OptionType<Long> MILLIS =
      new OptionType<>(
          "time (ms, s, min)", text -> parseAmount(text, TIME_UNITS), OptionType::formatMillis);

  /** Any text. */
  public static final OptionType<String> TEXT =
      new OptionType<>("text", String::strip, Function.identity());

  /** A name in lower case, usually one that the option's range lists. */
  public static final OptionType<String> WORD =
      new OptionType<>("name", s -> s.strip().toLowerCase(Locale.ROOT), Function.identity());

  private static Boolean parseBoolean(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static long parseAmount(String text, Map<String, Long> units) {
    Matcher amount = AMOUNT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!amount.matches() || !units.containsKey(amount.group(2))) {
      throw new IllegalArgumentException(text);
    }
    try {
      return Math.multiplyExact(Long.parseLong(amount.group(1)), units.get(amount.group(2)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(amount.group(), e);
    }
  }

  private static String formatBytes(long bytes) {
    for (int power = 3; power >= 1 && bytes != 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes % unit == 0) {
        return bytes / unit + " kmg".substring(power, power + 1);
      }
    }
    return Long.toString(bytes);
  }

  private static String formatMillis(long millis) {
    if (millis != 0 && millis % 60_000 == 0) {
      return millis / 60_000 + "min";
    }
    return millis != 0 && millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
