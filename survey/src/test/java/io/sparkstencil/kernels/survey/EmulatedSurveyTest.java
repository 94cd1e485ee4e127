/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.survey.bench.Effort;
import io.sparkstencil.kernels.tuning.OtherSums;
import io.sparkstencil.kernels.tuning.ProfileStore;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every experiment on an emulated device: its kernels are free of faults, compute what the CPU
 * does, and assemble for their target and for later devices.
 */
class EmulatedSurveyTest {
  private static final Pattern TARGET = Pattern.compile("\\.target sm_(\\d+)");
  private static final Effort SMALL = new Effort(1 << 16, 1, 1, 2, 1, 2, 1 << 16);

  private static Experiment named(String name) {
    return SurveyRunner.experiments().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static SurveyRunner open(FakeGpu gpu) {
    CudaDriver driver = gpu.driver();
    return new SurveyRunner(driver, driver.devices().get(0), Optional.empty(), context -> SMALL);
  }

  @Test
  void everyExperimentMeasuresWhatItHasChecked() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (SurveyRunner survey = open(gpu)) {
      assertThat(survey.device().clockMegahertz()).isPositive();
      for (Experiment experiment : SurveyRunner.experiments()) {
        requireWhole(survey.run(experiment));
      }
    }
    requireAssemble(gpu, 90);
  }

  @ParameterizedTest
  @ValueSource(strings = {"async-copy", "l2-window", "tensor-cores"})
  void anExperimentSaysWhatVoltaLacks(String name) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    gpu.capabilityMajor(7);
    try (SurveyRunner survey = open(gpu)) {
      Finding finding = survey.run(named(name));
      requireWhole(finding);
      assertThat(finding.meaning()).contains("begin with compute capability 8.0");
    }
    requireAssemble(gpu, 70);
  }

  /** Requires positive figures, and either charts or the reason why there are none. */
  static void requireWhole(Finding finding) {
    assertThat(finding.meaning()).endsWith(".").doesNotContain("null");
    for (SurveyChart chart : finding.charts()) {
      assertThat(chart.curves()).as(chart.name()).isNotEmpty();
      for (Curve curve : chart.curves()) {
        assertThat(curve.points()).as(curve.name()).isNotEmpty();
        assertThat(curve.points()).as(curve.name()).allMatch(point -> point.y() > 0);
        assertThat(curve.points()).extracting(Measured::x).isSorted();
      }
    }
    assertThat(finding.charts()).extracting(SurveyChart::name).doesNotHaveDuplicates();
  }

  /** The engine's own kernels, which the survey runs as well, have tests of their own. */
  private static void requireAssemble(FakeGpu gpu, int device) {
    gpu.loadedTexts().stream()
        .filter(text -> text.contains(".entry survey_"))
        .forEach(text -> requireAssembles(text, device));
  }

  private static void requireAssembles(String text, int device) {
    Matcher target = TARGET.matcher(text);
    assertThat(target.find()).isTrue();
    int lowest = Integer.parseInt(target.group(1));
    assertThat(lowest).as("for a device of %d", device).isLessThanOrEqualTo(device);
    PtxAssembler.Report report = PtxAssembler.bundled(text, lowest);
    assertThat(report.accepted()).as("%s%n%s", report.log(), text).isTrue();
  }

  @Test
  void aWrongResultEndsTheExperiment() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (SurveyRunner survey = open(gpu)) {
      gpu.kernel("survey_strided_s1_w8_plain", (device, cells, args) -> {});

      assertThatThrownBy(() -> survey.run(named("coalescing")))
          .isInstanceOf(StencilException.class)
          .hasMessageContaining("survey_strided_s1_w8_plain wrote 0xffffffff to word 0");
    }
  }

  @Test
  void tensorCoresWithOtherBitsAreReportedAndLeftOut() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    OtherSums.ROUNDED_PRODUCTS.on(gpu);
    try (SurveyRunner survey = open(gpu)) {
      Finding finding = survey.run(named("tensor-cores"));
      requireWhole(finding);
      assertThat(finding.meaning()).contains("have other bits, so that the engine does without");
      assertThat(finding.charts().get(1).curves()).hasSize(1);
      assertThat(finding.claims()).extracting(Claim::verdict).contains(Claim.Verdict.NO);
    }
  }

  @Test
  void keepsAProfileWhereTheEngineLooksForIt(@TempDir Path folder) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    CudaDevice device = gpu.driver().devices().get(0);
    Path configured = folder.resolve("configured");
    try (SurveyRunner survey = open(gpu)) {
      assertThat(survey.keepProfile(Optional.empty())).isEmpty();
      Path file = survey.keepProfile(Optional.of(folder)).orElseThrow();
      assertThat(file).hasParent(folder).isRegularFile();
      DeviceProfile found = new ProfileStore(folder, device).profile().orElseThrow();
      assertThat(found.origin()).isEqualTo("the survey in " + file);
      assertThat(found.copyGigabytes()).isPositive();
    }
    try (SurveyRunner survey =
        new SurveyRunner(gpu.driver(), device, Optional.of(configured), context -> SMALL)) {
      assertThat(survey.keepProfile(Optional.of(folder)).orElseThrow()).hasParent(configured);
    }
  }

  @Test
  void closingGivesAllMemoryBack() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    CudaDriver driver = gpu.driver();
    try (SurveyRunner survey =
        new SurveyRunner(driver, driver.devices().get(0), Optional.empty(), context -> SMALL)) {
      survey.run(named("coalescing"));
      assertThat(driver.liveHandles()).isNotEmpty();
    }
    assertThat(driver.liveHandles()).isEmpty();
  }
}
