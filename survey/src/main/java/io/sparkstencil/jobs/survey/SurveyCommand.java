/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.survey.cluster.ClusterReport;
import io.sparkstencil.jobs.survey.cluster.ClusterSurvey;
import io.sparkstencil.jobs.survey.page.ComparisonPage;
import io.sparkstencil.jobs.survey.page.SurveyComparison;
import io.sparkstencil.jobs.survey.page.SurveyFiles;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.jobs.survey.result.WholeFile;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stencil survey}: what a GPU does with memory spaces and access patterns. */
@Command(
    name = "survey",
    description =
        "Measures how this machine's GPU, or each GPU of a cluster, treats memory spaces and access"
            + " patterns, beside predictions and published claims.",
    mixinStandardHelpOptions = true)
public final class SurveyCommand extends SparkCommand {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Experiments to run. Default: all.")
  private List<String> only; // null if not given, as the others

  @Option(
      names = "--list",
      description =
          "Print the experiments and their questions, with --verbose also method, textbook and"
              + " decision; needs no GPU.")
  private boolean list;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      defaultValue = "survey",
      description = "The folder for what is found. Default: ${DEFAULT-VALUE}.")
  private Path folder;

  @Option(
      names = "--device",
      paramLabel = "GPU",
      description = "Index, UUID or PCI bus id. Default: spark.stencil.gpu.device, or the first.")
  private String device;

  @Option(
      names = "--resume",
      description = "Run the experiments that the folder's survey of the same GPU lacks.")
  private boolean resume;

  @Option(
      names = "--compare",
      paramLabel = "OTHER.json",
      description = "Compare the folder's survey with another one; measures nothing.")
  private Path other;

  @Option(
      names = "--draw",
      description =
          "Write the page and the pictures of the folder's survey again, such as one of a machine"
              + " without fonts; measures nothing.")
  private boolean draw;

  @Override
  public Integer call() throws IOException {
    requireOneTask();
    if (list) {
      List<Experiment> all = Surveyors.discover().experiments();
      ExperimentList.print(Surveyors.choose(all, only), sparkOptions().verbose(), out());
    } else if (other != null) {
      compare();
    } else if (draw) {
      Fonts.require("--draw");
      SurveyFiles files = new SurveyFiles(folder);
      files.write(SurveyFile.read(files.json()));
      out().println(files.written());
    } else if (sparkOptions().onCluster()) {
      surveyCluster();
    } else {
      surveyDevice();
    }
    return ExitCode.DONE;
  }

  /** Checks that no option is given that has no use beside another. */
  private void requireOneTask() {
    boolean cluster = sparkOptions().onCluster();
    refuse(list && other != null, "--compare", "--list");
    refuse(list && resume, "--resume", "--list");
    refuse(list && device != null, "--device", "--list");
    refuse(list && draw, "--draw", "--list");
    refuse(other != null && draw, "--draw", "--compare");
    refuse(draw && only != null, "--only", "--draw");
    refuse(draw && resume, "--resume", "--draw");
    refuse(draw && device != null, "--device", "--draw");
    refuse(draw && cluster, "--master", "--draw");
    refuse(other != null && only != null, "--only", "--compare");
    refuse(other != null && resume, "--resume", "--compare");
    refuse(other != null && device != null, "--device", "--compare");
    refuse(cluster && !list && resume, "--resume", "--master");
    refuse(cluster && !list && device != null, "--device", "--master");
  }

  private static void refuse(boolean given, String useless, String beside) {
    if (given) {
      throw new InvalidStencilException(
          "%s has no use beside %s; leave one of them out".formatted(useless, beside));
    }
  }

  private void surveyDevice() throws IOException {
    SurveyProvider provider = Surveyors.discover();
    List<Experiment> experiments = Surveyors.choose(provider.experiments(), only);
    Surveyors.requireAvailable(provider);
    WholeFile.requireFolder(folder);
    SurveyFiles files = new SurveyFiles(folder);
    try (DeviceSurvey survey = provider.openSurvey(sparkOptions().engineOptions(device))) {
      err().println(survey.device().name() + " on " + survey.device().host());
      SurveyResult result = new SurveyRun(survey, files, err()).run(experiments, resume);
      for (AnsweredQuestion answer : result.answers()) {
        out().printf("%s: %s%n", answer.experiment().title(), answer.finding().meaning());
      }
      out().println(files.written());
      survey
          .keepProfile(Optional.of(folder.toAbsolutePath()))
          .ifPresent(
              file ->
                  out()
                      .println(
                          "The engine chooses by %s if spark.stencil.gpu.tuningFolder is %s"
                              .formatted(file, file.getParent())));
    }
  }

  private void surveyCluster() throws IOException {
    List<Experiment> experiments = Surveyors.choose(Surveyors.discover().experiments(), only);
    WholeFile.requireFolder(folder);
    try (SparkRun spark = sparkOptions().open("stencil survey", ClusterSurvey.SUITED)) {
      ClusterSurvey cluster =
          new ClusterSurvey(Surveyors::discover, experiments, sparkOptions().engineOptions(device));
      ClusterReport report = new ClusterReport(cluster.run(spark.session()));
      report.write(folder);
      report.print(out());
      out().println("Written to " + folder);
    }
  }

  private void compare() throws IOException {
    SurveyResult here = SurveyFile.read(new SurveyFiles(folder).json());
    SurveyResult there = SurveyFile.read(other);
    SurveyComparison comparison = SurveyComparison.of(here, there);
    if (comparison.charts().isEmpty()) {
      throw new InvalidStencilException(
          "%s and %s have no chart in common; survey both devices with the same experiments"
              .formatted(new SurveyFiles(folder).json(), other));
    }
    Path page = folder.resolve("compare.html");
    ComparisonPage.write(here, there, page);
    ComparisonTable.print(comparison, out());
    out().println("Written to " + page);
  }
}
