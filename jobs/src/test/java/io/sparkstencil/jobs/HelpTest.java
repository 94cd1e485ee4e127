/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code --help} says. */
final class HelpTest {
  private static final Pattern RANGE = Pattern.compile("\\[(\\d+), (\\d+)]|use (\\d+) to (\\d+)");

  @TempDir private Path folder;

  private static CommandLine command() {
    PrintWriter none = new PrintWriter(Writer.nullWriter());
    return StencilCommand.commandLine(none, none);
  }

  @Test
  void everyCommandAndEveryOptionIsExplainedInASentence() {
    assertThat(command().getSubcommands().values())
        .hasSizeGreaterThan(6)
        .allSatisfy(
            subcommand -> {
              assertThat(subcommand.getCommandSpec().usageMessage().description()).isNotEmpty();
              for (OptionSpec option : subcommand.getCommandSpec().options()) {
                assertThat(String.join(" ", option.description()))
                    .as("%s %s", subcommand.getCommandName(), option.longestName())
                    .endsWith(".");
              }
            });
  }

  @Test
  void theFirstHelpNamesWhatTheScriptDoesItself() {
    assertThat(CommandRun.of(List.of("--help")).out())
        .contains("bin/stencil install DIR", "bin/stencil java FILE.java", "COMMAND --help");
  }

  /** The page has a section for each command, with its synopsis and tables. */
  @Test
  void everyOptionStandsInTheSectionOfItsCommand() throws IOException {
    String page = Files.readString(HOME.resolve("docs/cli.md"));
    command()
        .getSubcommands()
        .forEach(
            (name, subcommand) -> {
              int from = page.indexOf("\n## " + name + "\n");
              assertThat(from).as("a section of %s", name).isPositive();
              String section = page.substring(from, page.indexOf("\n## ", from + 1));
              for (OptionSpec option : subcommand.getCommandSpec().options()) {
                if (!option.usageHelp() && !option.versionHelp()) {
                  assertThat(section).as(name).containsPattern(option.names()[0] + "\\b(?!-)");
                }
              }
            });
  }

  /** A value that is too small or too large is refused with the range, which the help says too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "apply --op derivative --order 33 | --order",
        "apply --op derivative --accuracy-order 66 | --accuracy-order",
        "apply --op savgol --radius 0 | --radius",
        "apply --op savgol --radius 50 --degree 99 | --degree",
        "tune --repeats 0 --folder t | --repeats",
        "tune --radius -1 --folder t | --radius",
        "tune --cells 1 --folder t | --cells"
      })
  void theRangeOfARefusalIsThatOfTheHelp(String call, String option) throws IOException {
    List<String> words = new ArrayList<>(Arrays.asList(call.strip().split(" ")));
    if (words.get(0).equals("apply")) {
      Path input = Files.writeString(folder.resolve("in.csv"), "t,v\n1,2\n");
      words.addAll(List.of("--input", input.toString(), "--order-by", "t", "--column", "v"));
      words.addAll(List.of("--output", folder.resolve("out").toString()));
    }
    CommandRun run = CommandRun.of(words);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    Matcher range = RANGE.matcher(run.err());
    assertThat(range.find()).as(run.err()).isTrue();
    String least = range.group(1) == null ? range.group(3) : range.group(1);
    String most = range.group(2) == null ? range.group(4) : range.group(2);
    OptionSpec found =
        command().getSubcommands().get(words.get(0)).getCommandSpec().findOption(option.strip());
    assertThat(String.join(" ", found.description())).contains(least + " to " + most);
  }
}
