/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.tuning.MatrixTrial;
import io.sparkstencil.kernels.tuning.OtherSums;
import io.sparkstencil.kernels.tuning.TunedSchedule;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.MatrixShape;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensor cores are used where they have the bits of fma, which an engine tries out. */
final class TensorCoreChoiceTest {
  private static final StencilSpec SPEC = spec();
  private static final FlatStencil WHAT = FlatStencil.of(SPEC, 0, false);

  private final FakeGpu gpu = new FakeGpu();
  @TempDir private Path folder;

  private static StencilSpec spec() {
    double[] weights = new double[129];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 1.0 / (i + 3);
    }
    Frame frame = Frame.radius(64);
    return new StencilSpec(
        Stencil.weighted(frame, weights).withAccuracy(Accuracy.FMA), ElementType.F64);
  }

  private StencilEngine open(Map<String, String> options) {
    return new GpuEngineProvider(gpu.driver()).open(options);
  }

  private String chosen(Map<String, String> options) {
    try (StencilEngine engine = open(options)) {
      return engine.compile(SPEC).description();
    }
  }

  @Test
  void aDeviceWithTheBitsOfFmaUsesThem() {
    OtherSums.CHAIN.on(gpu);
    assertThat(chosen(Map.of())).contains("_mma");
    try (StencilEngine engine = open(Map.of())) {
      assertThat(engine.description()).doesNotContain("tensor cores");
    }
  }

  @Test
  void anA100UsesTheMatricesThatItHas() {
    gpu.capabilityMajor(8);
    OtherSums.CHAIN.on(gpu);
    assertThat(chosen(Map.of())).contains("_mma8_");
  }

  @Test
  void aDeviceWithOtherBitsDoesWithoutAndSaysSo() {
    OtherSums.ROUNDED_PRODUCTS.on(gpu);
    try (LogLines log = new LogLines(MatrixTrial.class, Level.WARNING);
        StencilEngine engine = open(Map.of())) {
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("Fake GPU", "without tensor cores", "differ in their bits");
      assertThat(engine.description()).contains("tensor cores not used, as the log says");
      assertThat(engine.compile(SPEC).description()).doesNotContain("mma");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SIXTEEN_ROWS", "SIXTEEN_ROWS_DEEP"})
  void matricesOfOneShapeWithOtherBitsExcludeBoth(MatrixShape shape) {
    OtherSums.CHAIN.on(gpu);
    OtherSums.ROUNDED_PRODUCTS.on(gpu, shape);
    try (LogLines log = new LogLines(MatrixTrial.class, Level.WARNING);
        StencilEngine engine = open(Map.of())) {
      assertThat(log.lines()).singleElement().asString().contains(shape.label() + " differ");
      assertThat(engine.compile(SPEC).description()).doesNotContain("mma");
    }
  }

  @Test
  void aDeviceWhoseMemoryIsTakenDoesWithoutAndSaysSo() {
    OtherSums.CHAIN.on(gpu);
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    try (LogLines log = new LogLines(MatrixTrial.class, Level.WARNING);
        StencilEngine engine = open(Map.of())) {
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("without tensor cores", "could not be tried: ");
      assertThat(engine.description()).contains("tensor cores not used, as the log says");
      gpu.fail("memAlloc", 0);
      assertThat(engine.compile(SPEC).description()).doesNotContain("mma");
    }
  }

  @Test
  void aMeasuredScheduleForTensorCoresIsNotUsedThereEither() {
    OtherSums.FROM_THE_END.on(gpu);
    CudaDevice device = gpu.driver().devices().get(0);
    DeviceTraits traits = GeneratedKernels.selectorTraits(device, DeviceProfile.BUILT_IN);
    new TuningStore(folder, device)
        .save(
            TunedShape.of(WHAT),
            new TunedSchedule(ScheduleSelector.select(traits, WHAT), 1 << 20, 0.1));
    Map<String, String> options = Map.of(GpuOptions.TUNING_FOLDER.key(), folder.toString());
    assertThat(chosen(options)).doesNotContain("mma");
    OtherSums.CHAIN.on(gpu);
    assertThat(chosen(options)).contains("_mma");
  }

  @Test
  void aVoltaIsNotTried() {
    gpu.capabilityMajor(7);
    try (LogLines log = new LogLines(MatrixTrial.class, Level.WARNING)) {
      assertThat(chosen(Map.of())).doesNotContain("mma");
      assertThat(log.lines()).isEmpty();
    }
    assertThat(gpu.loadedTexts()).noneMatch(text -> text.contains("mma.sync"));
  }

  @Test
  void theSearchOfADeviceWithOtherBitsLeavesThemOut() {
    OtherSums.ADDED_LAST.on(gpu);
    ScheduleTuning.Request request =
        new ScheduleTuning.Request(Map.of(), Optional.of(folder), 1 << 12, 1, 129);
    try (ScheduleTuning search =
        new GpuEngineProvider(gpu.driver()).openTuning(request).orElseThrow()) {
      search.tune(SPEC);
    }
    assertThat(gpu.loadedTexts())
        .filteredOn(text -> text.contains("mma.sync"))
        .allMatch(text -> text.contains("matrix_trial"));
  }
}
