/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.survey.MadeUpProvider;
import io.sparkstencil.jobs.survey.MadeUpSurvey;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Experiment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A survey as a Spark job, of three devices that do not exist and two tasks at once. */
final class ClusterSurveySparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void surveysEachDeviceOnceAndMarksTheSlowOne() throws IOException {
    ClusterFindings findings = run(() -> new MadeUpProvider(null, null, "1"));

    assertThat(findings.failures()).isEmpty();
    assertThat(findings.results())
        .extracting(result -> result.device().uuid())
        .containsExactly("GPU-0", "GPU-1", "GPU-2");
    assertThat(findings.results()).allSatisfy(result -> assertThat(result.answers()).hasSize(3));

    StringWriter text = new StringWriter();
    ClusterReport report = new ClusterReport(findings);
    report.print(new PrintWriter(text));
    assertThat(text.toString().lines().filter(line -> line.startsWith("north ")).limit(3))
        .anyMatch(line -> line.endsWith(" 0.500  slow, narrow link"))
        .anyMatch(line -> line.endsWith("     1  -"));
    assertThat(text.toString().lines())
        .contains("north 0000:0a:00.0 slow: 4 more in cluster.md")
        .contains(
            "north 0000:0a:00.0 narrow link: sizes, link: link to the host: 0.500 times the speed of its siblings");
    report.write(folder);
    SurveyResult read = SurveyFile.read(folder.resolve("north-0000_0a_00.0/survey.json"));
    assertThat(read.device().name()).isEqualTo("Imaginary 100");
    assertThat(folder.resolve("north-0000_0a_00.0-GPU-2/survey.html")).exists();
    assertThat(folder.resolve("cluster.md")).content().contains("## Outliers", "narrow link");
  }

  /** Kryo, which sessions may have, cannot read records. */
  @Test
  void outcomesTravelAsTheyAre() {
    DeviceAnswer failed = DeviceAnswer.failed("north", "0", "the device is lost");
    assertThat(DeviceAnswer.of(failed.fields())).isEqualTo(failed);
    DeviceAnswer found =
        DeviceAnswer.of("north", "1", MadeUpSurvey.result(MadeUpSurvey.device(), 1));
    assertThat(DeviceAnswer.of(found.fields())).isEqualTo(found);
  }

  @Test
  void aDeviceThatFailsIsToldAndTheOthersCount() {
    List<DeviceAnswer> outcomes =
        List.of(
            DeviceAnswer.failed("north", "0", "the device is lost"),
            DeviceAnswer.of("north", "1", MadeUpSurvey.result(MadeUpSurvey.device(), 1)),
            DeviceAnswer.of("north", "2", MadeUpSurvey.result(MadeUpSurvey.device(), 1)));

    ClusterFindings findings = ClusterFindings.of(outcomes);

    assertThat(findings.results()).hasSize(1); // one device under two addresses
    assertThat(findings.failures()).containsExactly("north, device 0: the device is lost");
  }

  @Test
  void anExperimentThatFailsIsToldAndTheOthersCount() {
    ClusterFindings findings = run(() -> new MadeUpProvider(null, "sizes", null));

    assertThat(findings.results()).hasSize(3).allMatch(each -> each.answers().size() == 2);
    assertThat(findings.failures())
        .hasSize(3)
        .allMatch(line -> line.contains(": sizes failed: the device is lost"));
  }

  @Test
  void ifAllFailItSaysOfOneWhy() {
    List<Experiment> sizes =
        MadeUpSurvey.EXPERIMENTS.stream().filter(each -> each.name().equals("sizes")).toList();
    ClusterSurvey survey =
        new ClusterSurvey(() -> new MadeUpProvider(null, "sizes", null), sizes, Map.of());
    assertThatThrownBy(() -> survey.run(SPARK.session()))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining(", device 0: sizes failed: the device is lost");
  }

  @Test
  void withoutDevicesItSaysWhy() {
    assertThatThrownBy(() -> run(() -> new MadeUpProvider("no driver; install it", null, null)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageEndingWith(": no driver; install it");
  }

  private static ClusterFindings run(Surveyor surveyor) {
    return new ClusterSurvey(surveyor, MadeUpSurvey.EXPERIMENTS, Map.of()).run(SPARK.session());
  }
}
