/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.DeviceCosts;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.tuning.ProfileStore;
import io.sparkstencil.kernels.tuning.TunedSchedule;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines opened with a folder of measured schedules, over a device made of host memory. */
class StoredSchedulesTest {
  private static final StencilSpec SPEC =
      new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32);
  private static final FlatStencil WHAT = FlatStencil.of(SPEC, 0, false);

  @TempDir private Path folder;
  private final CudaDriver driver = new FakeGpu().driver();
  private final CudaDevice device = driver.devices().get(0);
  private final KernelSchedule selected =
      ScheduleSelector.select(
          GeneratedKernels.selectorTraits(device, DeviceProfile.BUILT_IN), WHAT);
  private final KernelSchedule other = selected.withStaging(StagingStrategy.SHARED_MEMORY);

  private String used() {
    try (StencilEngine engine =
        new GpuEngineProvider(driver)
            .open(Map.of(GpuOptions.TUNING_FOLDER.key(), folder.toString()))) {
      return engine.compile(SPEC).description();
    }
  }

  private static String entry(KernelSchedule how) {
    return new KernelVariant(WHAT, how).entryName();
  }

  private Path store() {
    TuningStore store = new TuningStore(folder, device);
    store.save(TunedShape.of(WHAT), new TunedSchedule(other, 1 << 20, 0.1));
    return store.file();
  }

  @Test
  void anEngineUsesWhatTheFolderHoldsForItsDevice() {
    assertThat(other).isNotEqualTo(selected);
    assertThat(used()).isEqualTo(entry(selected));
    store();
    assertThat(used()).isEqualTo(entry(other));
  }

  @Test
  void aMeasuredProfileMovesTheChoiceAndAMeasuredScheduleWinsOverBoth() {
    DeviceProfile builtIn = DeviceProfile.BUILT_IN;
    DeviceProfile slowCopies =
        new DeviceProfile("a test", builtIn.copyGigabytes(), 1e4, 1e4, 0.5, 6L << 20, 20, 9);
    ProfileStore profiles = new ProfileStore(folder, device);
    profiles.save(slowCopies);
    KernelSchedule byProfile =
        ScheduleSelector.select(GeneratedKernels.selectorTraits(device, slowCopies), WHAT);
    assertThat(byProfile).isNotEqualTo(selected);
    assertThat(used()).isEqualTo(entry(byProfile));
    Map<String, String> options = Map.of(GpuOptions.TUNING_FOLDER.key(), folder.toString());
    GpuEngineProvider provider = new GpuEngineProvider(driver);
    try (StencilEngine engine = provider.open(options)) {
      assertThat(engine.description()).endsWith("schedules by the survey in " + profiles.file());
    }
    assertThat(provider.costs(options)).isEqualTo(new DeviceCosts(20e9, 9e-6));
    KernelSchedule tuned = selected.withHints(CacheHints.STREAM_BOTH);
    assertThat(tuned).isNotIn(selected, byProfile);
    new TuningStore(folder, device)
        .save(TunedShape.of(WHAT), new TunedSchedule(tuned, 1 << 20, 0.1));
    assertThat(used()).isEqualTo(entry(tuned));
  }

  @Test
  void aCorruptedProfileIsIgnoredWithAWarning() throws IOException {
    ProfileStore profiles = new ProfileStore(folder, device);
    profiles.save(DeviceProfile.BUILT_IN);
    String good = Files.readString(profiles.file());
    for (String bad :
        List.of(
            good.replace("Fake GPU", "Other GPU"),
            good.replace("copyGigabytes", "copy"),
            good.replaceAll("\"asyncGain\": [0-9.]+", "\"asyncGain\": -1"),
            good.substring(0, good.length() / 2))) {
      assertThat(bad).isNotEqualTo(good);
      Files.writeString(profiles.file(), bad);
      try (LogLines log = new LogLines(ProfileStore.class, Level.WARNING)) {
        assertThat(used()).isEqualTo(entry(selected));
        assertThat(log.lines())
            .singleElement()
            .asString()
            .contains(profiles.file().toString(), "delete the file or measure again");
      }
    }
  }

  @Test
  void foreignAndCorruptedFilesAreIgnoredWithAWarning() throws IOException {
    Path file = store();
    String good = Files.readString(file);
    for (String bad :
        List.of(good.replace("Fake GPU", "Other GPU"), good.substring(0, good.length() / 2))) {
      Files.writeString(file, bad);
      try (LogLines log = new LogLines(TuningStore.class, Level.WARNING)) {
        assertThat(used()).isEqualTo(entry(selected));
        assertThat(log.lines())
            .singleElement()
            .asString()
            .contains(file.toString(), "delete the file or measure again");
      }
    }
  }

  @Test
  void theBuiltInChoiceIsKeptUnlessAnotherIsClearlyFaster() {
    TunedSchedule little = new TunedSchedule(other, 1000, 0.995);
    TunedSchedule clear = new TunedSchedule(other, 1000, 0.95);
    TunedSchedule builtIn = new TunedSchedule(selected, 1000, 1);
    assertThat(ScheduleSearch.keep(WHAT, selected, List.of(little, builtIn))).isEqualTo(builtIn);
    assertThat(ScheduleSearch.keep(WHAT, selected, List.of(clear, builtIn))).isEqualTo(clear);
    assertThat(ScheduleSearch.keep(WHAT, selected, List.of(little))).isEqualTo(little);
    assertThat(
            ScheduleSearch.candidates(
                GeneratedKernels.selectorTraits(device, DeviceProfile.BUILT_IN), WHAT))
        .startsWith(selected)
        .hasSizeGreaterThan(20)
        .allSatisfy(how -> assertThat(how.persistingMebibytes()).isZero())
        .extracting(KernelSchedule::staging)
        .contains(StagingStrategy.SHARED_MEMORY_BULK);
  }
}
