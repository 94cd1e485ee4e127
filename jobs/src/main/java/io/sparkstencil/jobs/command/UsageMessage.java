/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.NearestName;
import io.sparkstencil.error.ShownText;
import io.sparkstencil.model.Frame;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What to say of words that are no call of a command, in words that name no class of Java's. */
public final class UsageMessage {
  /** What other tools call an operation, and other commands of this one an option. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "average", "mean",
          "avg", "mean",
          "convolve", "weighted",
          "convolution", "weighted",
          "--cells", "--field",
          "--parameter", "--set",
          "--set", "--parameter");

  /** These name cells, of which a frame has fewer than an integer can count. */
  private static final List<String> OF_FRAMES = List.of("--radius", "--preceding", "--following");

  private UsageMessage() {}

  /**
   * Returns what to say, in one line.
   *
   * @param arguments all words of the call
   */
  public static String of(ParameterException exception, List<String> arguments) {
    Optional<String> ours = Optional.empty();
    if (exception instanceof UnmatchedArgumentException unmatched) {
      ours = unmatched(unmatched, arguments);
    } else if (exception instanceof MissingParameterException missing) {
      ours = missing(missing, List.of());
    } else if (exception instanceof OverwrittenOptionException twice
        && twice.getOverwritten() instanceof OptionSpec option) {
      ours = Optional.of("%s is given twice; give it once".formatted(name(option)));
    } else if (exception.getArgSpec() != null && exception.getValue() != null) {
      ours = wrongValue(exception);
    }
    return oneLine(ours, exception);
  }

  /**
   * Returns what to say where options are missing, in one line.
   *
   * @param more what is missing beside those of which {@code exception} tells, in words
   */
  public static String ofMissing(MissingParameterException exception, List<String> more) {
    return oneLine(missing(exception, more), exception);
  }

  private static String oneLine(Optional<String> ours, ParameterException exception) {
    return ShownText.printable(
        ours.orElse(exception.getMessage()).strip().replaceAll("\\s*\\R\\s*", " "));
  }

  private static Optional<String> missing(MissingParameterException exception, List<String> more) {
    List<String> options =
        exception.getMissing().stream()
            .filter(OptionSpec.class::isInstance)
            .map(each -> name((OptionSpec) each) + " " + each.paramLabel())
            .toList();
    String command = exception.getCommandLine().getCommandSpec().name();
    String said = exception.getMessage();
    return options.isEmpty()
        ? Optional.empty()
        : Optional.of(
            said.startsWith("Missing required option")
                ? needs(command, Stream.concat(options.stream(), more.stream()).toList())
                : "an option has no value; write %s".formatted(options.get(0)));
  }

  /** Returns what to say of a command that lacks options, which are given in words. */
  public static String needs(String command, List<String> options) {
    return "%s needs %s".formatted(command, String.join(", ", options));
  }

  private static Optional<String> unmatched(
      UnmatchedArgumentException exception, List<String> arguments) {
    String word = exception.getUnmatched().get(0);
    CommandSpec command = exception.getCommandLine().getCommandSpec();
    if (word.startsWith("-") && word.length() > 1) {
      List<String> options =
          command.options().stream()
              .flatMap(option -> Stream.of(option.names()))
              .filter(name -> name.startsWith("--"))
              .toList();
      return Optional.of(
          "unknown option %s of %s%s"
              .formatted(
                  ShownText.of(word),
                  command.name(),
                  nearest(word, options).map("; did you mean %s?"::formatted).orElse("")));
    }
    if (!command.subcommands().isEmpty()) {
      List<String> names = new ArrayList<>(command.subcommands().keySet());
      return Optional.of(
          "unknown command \"%s\"%s known commands are %s"
              .formatted(ShownText.of(word), question(word, names), String.join(", ", names)));
    }
    return stray(command, word, arguments);
  }

  /** Returns what to say of the first word that is neither an option nor the value of one. */
  private static Optional<String> stray(CommandSpec command, String word, List<String> arguments) {
    OptionSpec last = null;
    String value = null;
    for (int i = arguments.indexOf(command.name()) + 1; i < arguments.size(); i++) {
      String[] parts = arguments.get(i).split("=", 2);
      OptionSpec option = command.findOption(parts[0]);
      if (option != null) {
        last = option;
        boolean takesNext = parts.length == 1 && option.arity().max() > 0;
        value =
            parts.length == 2
                ? parts[1]
                : takesNext && ++i < arguments.size() ? arguments.get(i) : null;
      } else if (arguments.get(i).equals(word)) {
        break;
      }
    }
    return Optional.of(
        last == null || value == null
            ? "\"%s\" is not the value of an option; put the option's name before it"
                .formatted(ShownText.of(word))
            : "%s takes one word, but \"%s\" follows \"%s\"; %s"
                .formatted(
                    name(last),
                    ShownText.of(word),
                    ShownText.of(value),
                    remedy(last, ShownText.of(value), ShownText.of(word))));
  }

  /** Returns the name of an option that its command shows first. */
  private static String name(OptionSpec option) {
    return option.names()[0].startsWith("--") ? option.names()[0] : option.longestName();
  }

  private static String remedy(OptionSpec option, String value, String word) {
    return switch (name(option)) {
      case "--input" ->
          "give a pattern of several files in quotes, such as 'data/*.csv', so that the shell does not expand it";
      case "--grid" -> "write %sx%s".formatted(value, word);
      default ->
          option.splitRegex().isEmpty()
              ? "put a value with spaces in quotes"
              : "write %s,%s".formatted(value, word);
    };
  }

  private static Optional<String> wrongValue(ParameterException exception) {
    ArgSpec argument = exception.getArgSpec();
    List<Class<?>> types = List.of(argument.auxiliaryTypes());
    Class<?> type = types.get(types.size() - 1);
    if (!(argument instanceof OptionSpec option)) {
      return Optional.empty();
    }
    String given = "%s %s".formatted(name(option), ShownText.of(exception.getValue()));
    if (type.isEnum()) {
      return Optional.of(wrongName(option, exception.getValue()));
    }
    if (exception.getMessage().contains("KEY=VALUE")) {
      return Optional.of(
          "%s has no =; write %s %s".formatted(given, name(option), option.paramLabel()));
    }
    if (!isConversion(exception)) {
      return Optional.empty();
    }
    if (type == double.class || type == Double.class) {
      String remedy =
          exception.getValue().matches("[-+]?\\d*,\\d+")
              ? "write %s, with a point".formatted(exception.getValue().replace(',', '.'))
              : "write one such as 2, 0.5 or 1e-3";
      return Optional.of("%s is no number; %s".formatted(given, remedy));
    }
    if (type == int.class || type == Integer.class) {
      long most = OF_FRAMES.contains(name(option)) ? Frame.MAX_REACH : Integer.MAX_VALUE;
      return Optional.of(noWholeNumber(given, exception.getValue(), most));
    }
    if (type == long.class || type == Long.class) {
      return Optional.of(noWholeNumber(given, exception.getValue(), Long.MAX_VALUE));
    }
    return Optional.empty();
  }

  private static boolean isConversion(ParameterException exception) {
    return exception.getCause() instanceof TypeConversionException
        || exception.getMessage().contains(" is not a");
  }

  private static String noWholeNumber(String given, String value, long most) {
    try {
      return new BigInteger(value.strip()).signum() < 0
          ? "%s is too small; use at least %d".formatted(given, -most)
          : "%s is too large; use at most %d".formatted(given, most);
    } catch (NumberFormatException e) {
      return "%s is no whole number; give one, such as 3".formatted(given);
    }
  }

  private static String wrongName(OptionSpec option, String value) {
    List<String> names = new ArrayList<>();
    option.completionCandidates().forEach(each -> names.add(each.toLowerCase(Locale.ROOT)));
    return "%s %s is unknown%s %s takes %s"
        .formatted(
            name(option),
            ShownText.of(value),
            question(value, names),
            name(option),
            String.join(", ", names));
  }

  /** Returns the question whether another name was meant, as a message has it before all names. */
  private static String question(String word, List<String> names) {
    return nearest(word, names).map("; did you mean %s?"::formatted).orElse(";");
  }

  private static Optional<String> nearest(String word, List<String> names) {
    return Optional.ofNullable(OTHER_NAMES.get(word.toLowerCase(Locale.ROOT)))
        .filter(names::contains)
        .or(() -> NearestName.of(word, names));
  }
}
