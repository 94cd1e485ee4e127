/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.jobs.survey.page.SurveyFiles;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.jobs.survey.result.WholeFile;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A survey of one device that does not exist. */
final class SurveyRunTest {
  @TempDir private Path folder;

  private final StringWriter progress = new StringWriter();

  @Test
  void writesWhatItFindsAndSaysHowFarItIs() throws IOException {
    SurveyResult result = run(null, "0", MadeUpSurvey.EXPERIMENTS, false);

    assertThat(progress.toString().lines())
        .containsExactly(
            "[1/3] banks ...  2.1 s", "[2/3] sizes ...  12.5 s", "[3/3] texture ...  0.0 s");
    assertThat(folder)
        .isDirectoryContaining("glob:**/survey.md")
        .isDirectoryContaining("glob:**/survey.html")
        .isDirectoryContaining("glob:**/banks-strides.svg")
        .isDirectoryContaining("glob:**/sizes-link.svg")
        .isDirectoryNotContaining("glob:**/.*");
    assertThat(SurveyFile.read(folder.resolve("survey.json"))).isEqualTo(result);
  }

  @Test
  void anExperimentThatFailsLeavesTheOthersAndIsAskedAgain() throws IOException {
    assertThatThrownBy(() -> run("sizes", "0", MadeUpSurvey.EXPERIMENTS, false))
        .isInstanceOf(StencilException.class);
    assertThat(progress.toString().lines())
        .contains("[2/3] sizes ...  failed: the device is lost")
        .last()
        .asString()
        .startsWith("[3/3]");
    SurveyResult left = SurveyFile.read(folder.resolve("survey.json"));
    assertThat(left.answers()).hasSize(2);
    assertThat(folder.resolve("survey.html")).content().contains("</html>").contains("banks");

    progress.getBuffer().setLength(0);
    SurveyResult all = run(null, "0", MadeUpSurvey.EXPERIMENTS, true);
    assertThat(progress.toString()).startsWith("[1/1] sizes ...");
    assertThat(all.answers()).hasSize(3).startsWith(left.answers().get(0));

    progress.getBuffer().setLength(0);
    assertThat(run(null, "0", MadeUpSurvey.EXPERIMENTS, true)).isEqualTo(all);
    assertThat(progress.toString()).contains("survey.json has all of these experiments");
  }

  @Test
  void someExperimentsAreAskedAnewAndTheOthersKept() throws IOException {
    SurveyResult all = run(null, "0", MadeUpSurvey.EXPERIMENTS, false);
    List<Experiment> first = MadeUpSurvey.EXPERIMENTS.subList(0, 1);

    SurveyResult again = run(null, "0", first, false);
    assertThat(again.answers())
        .hasSize(3)
        .startsWith(all.answers().get(1), all.answers().get(2))
        .last()
        .returns(first.get(0), AnsweredQuestion::experiment);
    assertThat(run(null, "1", first, false).answers()).hasSize(1);
    Files.writeString(folder.resolve("survey.json"), "{}");
    assertThat(run(null, "1", first, false).answers()).hasSize(1);
  }

  @Test
  void doesNotMixDevices() throws IOException {
    run(null, "0", MadeUpSurvey.EXPERIMENTS.subList(0, 1), false);
    String before = Files.readString(folder.resolve("survey.json"));

    assertThatThrownBy(() -> run(null, "1", MadeUpSurvey.EXPERIMENTS, true))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("GPU-0, CUDA 13.0")
        .hasMessageContaining("this is Imaginary 100 (GPU-1")
        .hasMessageContaining("name another --folder");
    assertThat(folder.resolve("survey.json")).hasContent(before);
  }

  @Test
  void refusesAFolderThatCannotBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "keep me");

    assertThatThrownBy(() -> WholeFile.requireFolder(file.resolve("survey")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageStartingWith("cannot write to --folder " + file.resolve("survey"))
        .hasMessageEndingWith("name a folder that can be written to");
    assertThat(file).hasContent("keep me");
    WholeFile.requireFolder(folder);
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void choosesExperimentsByNameInTheirOrder() {
    List<Experiment> all = MadeUpSurvey.EXPERIMENTS;

    assertThat(Surveyors.choose(all, List.of("texture", "banks")))
        .containsExactly(all.get(0), all.get(2));
    assertThat(Surveyors.choose(all, null)).isEqualTo(all);
    assertThatThrownBy(() -> Surveyors.choose(all, List.of("bank")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage("--only bank is no experiment; known experiments are banks, sizes, texture");
  }

  @Test
  void saysWhyThereIsNoDeviceAndWhatCanBeHad() {
    SurveyProvider none = new MadeUpProvider("there is no driver here; install it", null, null);

    assertThatThrownBy(() -> Surveyors.requireAvailable(none))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessage(
            "there is no driver here; install it; bin/stencil survey --list --verbose says what would be measured");
  }

  @Test
  void listsQuestionsAndWithMoreWordsAllThatIsKnown() {
    StringWriter text = new StringWriter();
    ExperimentList.print(MadeUpSurvey.EXPERIMENTS, false, new PrintWriter(text));
    assertThat(text.toString().lines())
        .containsExactly(
            "banks    What does a stride in shared memory cost?",
            "sizes    From which size on does memory give its full rate?",
            "texture  Are textures faster for windows?");

    text.getBuffer().setLength(0);
    ExperimentList.print(MadeUpSurvey.EXPERIMENTS, true, new PrintWriter(text));
    assertThat(text.toString())
        .contains("    Method: Each warp reads words")
        .contains("    Textbook: A made-up book says that odd strides are free.")
        .contains("    Decides: Whether tiles are padded.")
        .doesNotContain("Decides: \n");
  }

  private SurveyResult run(
      String failing, String address, List<Experiment> experiments, boolean resume)
      throws IOException {
    SurveyProvider provider = new MadeUpProvider(null, failing, null);
    try (DeviceSurvey survey = provider.openSurvey(Map.of(EngineProvider.DEVICE_OPTION, address))) {
      return new SurveyRun(survey, new SurveyFiles(folder), new PrintWriter(progress))
          .run(experiments, resume);
    }
  }
}
