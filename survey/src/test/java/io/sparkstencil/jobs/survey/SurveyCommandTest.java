/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The survey command where nothing is measured. */
final class SurveyCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--list --compare a.json | --compare has no use beside --list; leave one of them out",
        "--list --resume | --resume has no use beside --list",
        "--compare a.json --device 0 | --device has no use beside --compare",
        "--compare a.json --only banks | --only has no use beside --compare",
        "--master local[2] --device 0 | --device has no use beside --master",
        "--master local[2] --resume | --resume has no use beside --master",
        "--draw --only banks | --only has no use beside --draw",
        "--draw --master local[2] | --master has no use beside --draw",
        "--folder absent --draw | survey.json does not exist; run bin/stencil survey",
        "--folder absent --compare a.json | survey.json does not exist; run bin/stencil survey",
        "--depth 3 | unknown option --depth of survey",
      })
  void refusesWhatItCannotDo(String options, String message) {
    assertRefused(CommandRun.of(("survey " + options).split(" ")), message);
  }

  @Test
  void comparesTwoSurveysWithoutADevice() throws IOException {
    write("survey.json", SurveyFile.text(MadeUpSurvey.result(MadeUpSurvey.device(), 1)));
    Path other =
        write(
            "other.json",
            SurveyFile.text(
                MadeUpSurvey.result(
                    MadeUpSurvey.device("Imaginary 100", "GPU-1", "north", "12.4"), 0.5)));

    CommandRun run = compare(other);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines())
        .startsWith("Imaginary 100, CUDA 13.0 over Imaginary 100, CUDA 12.4")
        .contains("   0.500    0.500    0.500      33  banks, strides: padded")
        .contains("       2        2        2      19  sizes, rates: asynchronous");
    assertThat(folder.resolve("compare.html"))
        .content()
        .contains("padded", "Imaginary 100, CUDA 12.4", "</svg>");
  }

  @Test
  void drawsASurveyOfAnotherMachine() throws IOException {
    String figures = SurveyFile.text(MadeUpSurvey.result(MadeUpSurvey.device(), 1));
    Path json = write("survey.json", figures);

    CommandRun run = CommandRun.of("survey", "--draw", "--folder", folder.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().strip()).isEqualTo("Written to " + folder.resolve("survey.html"));
    assertThat(folder.resolve("survey.html")).content().contains("</svg>", "</html>");
    assertThat(folder.resolve("banks-strides.svg")).content().contains("</svg>");
    assertThat(json).hasContent(figures);
  }

  @Test
  void refusesToCompareWithWhatIsNoSurvey() throws IOException {
    write("survey.json", SurveyFile.text(MadeUpSurvey.result(MadeUpSurvey.device(), 1)));
    Path other = write("other.json", "{\"answers\": []}");

    assertRefused(compare(other), "other.json is no survey: it does not say \"format\"");
    assertThat(folder.resolve("compare.html")).doesNotExist();
  }

  @Test
  void theCommandIsListedWhereItsJarIs() {
    assertThat(CommandRun.of("--help").out()).contains("survey", "bench");
    assertThat(CommandRun.of().err())
        .contains("choose demo, apply, draw, solve, doctor, tune, bench or survey");
  }

  @Test
  void listsTheExperimentsOfTheEngineWithoutADevice() {
    SurveyProvider engine = Surveyors.discover();

    CommandRun run = CommandRun.of("survey", "--list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines()).hasSameSizeAs(engine.experiments());
    for (Experiment experiment : engine.experiments()) {
      assertThat(run.out()).contains(experiment.name(), experiment.question());
    }
  }

  @Test
  void saysWhyThereIsNoGpuAndLeavesNothing() {
    SurveyProvider engine = Surveyors.discover();
    assumeTrue(engine.unavailableReason().isPresent(), "skipped: this machine has a GPU");

    CommandRun run = CommandRun.of("survey", "--folder", folder.resolve("new").toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err())
        .startsWith("stencil: " + engine.unavailableReason().get())
        .contains("bin/stencil survey --list --verbose");
    assertThat(folder).isEmptyDirectory();
  }

  private CommandRun compare(Path other) {
    return CommandRun.of("survey", "--folder", folder.toString(), "--compare", other.toString());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static void assertRefused(CommandRun run, String message) {
    assertThat(run.err()).startsWith("stencil: ").contains(message);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
  }
}
