/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.engine.ProgramTuning.Trial;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.emulator.Emulator;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.gpu.LogLines;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.kernels.program.source.TunedSource;
import io.sparkstencil.kernels.tuning.TunedFields;
import io.sparkstencil.kernels.tuning.TunedKernel;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kernels of programs are measured on an emulated device, whose clock counts the instructions that
 * it runs; engines take what was found.
 */
final class ProgramSearchTest {
  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + a*(u[-1] - 2*u + u[1])").withBoundary(Boundary.WRAP);
  private static final ElementType TYPE = ElementType.F64;
  private static final Extent EXTENT = Extent.of(9_000);
  private static final FusedKernel.Layout LAYOUT =
      FieldLayout.ofSizes(TYPE, EXTENT.sizes()).forKernels(1);
  private static final TunedFields FIELDS = new TunedFields(HEAT.digest(), TYPE, EXTENT.sizes());

  @TempDir private Path folder;
  private final FakeGpu gpu = new FakeGpu();
  private final Emulator emulator = gpu.emulate();
  private final CudaDriver driver = gpu.driver();
  private final List<Trial> trials = new ArrayList<>();

  private ProgramSearch search(CudaDriver on, Map<String, String> options, LongSupplier clock) {
    GpuPrograms engine = GpuPrograms.open(on, on.devices().get(0), options);
    ProgramTuning.Request request = new ProgramTuning.Request(options, Optional.of(folder), 1, 60);
    return new ProgramSearch(engine, folder, request, clock);
  }

  private ProgramTuning.FoundProgram tune(Map<String, String> options, LongSupplier clock) {
    gpu.clock(() -> emulator.instructions() / 1e3);
    try (ProgramSearch search = search(driver, options, clock)) {
      return search.tune(HEAT, TYPE, EXTENT, trials::add);
    }
  }

  private TuningStore store() {
    return new TuningStore(folder, driver.devices().get(0));
  }

  private FusedSource.Kernels kernels() {
    return new TunedSource(store())
        .kernels(ProgramTraits.of(HEAT), TYPE, LAYOUT, DeviceTraits.H200);
  }

  private static List<FusedKernel> estimated() {
    return FusedKernels.candidates(ProgramTraits.of(HEAT), TYPE, LAYOUT, DeviceTraits.H200);
  }

  private static List<FusedKernel> all() {
    return FusedKernels.fastestFirst(ProgramTraits.of(HEAT), TYPE, LAYOUT, DeviceTraits.H200);
  }

  @Test
  void theFastestOfThoseThatWereMeasuredIsKeptAndTaken() {
    ProgramTuning.FoundProgram outcome = tune(Map.of(), () -> 0);
    assertThat(trials).extracting(Trial::kernel).doesNotHaveDuplicates();
    assertThat(trials.get(0)).isEqualTo(outcome.builtIn());
    assertThat(trials)
        .extracting(Trial::kernel)
        .contains(TunedKernel.SINGLE_STEPS)
        .containsAll(all().stream().limit(12).map(FusedKernel::toString).toList())
        .containsAll(estimated().stream().map(FusedKernel::toString).toList());
    Trial fastest =
        trials.stream()
            .min(Comparator.comparingDouble(trial -> trial.millisPerStep().orElseThrow()))
            .orElseThrow();
    assertThat(outcome.kept()).isEqualTo(fastest).isNotEqualTo(outcome.builtIn());
    assertThat(outcome.measured()).isEqualTo(trials.size());
    assertThat(store().find(FIELDS))
        .contains(
            new TunedKernel(
                fastest.kernel(), fastest.millisPerStep().orElseThrow(), HEAT.toString()));
    try (GpuPrograms engine = open();
        DeviceProgram fields = engine.open(HEAT, TYPE, EXTENT)) {
      assertThat(fields.kernel().orElseThrow()).hasToString(fastest.kernel());
      assertThat(engine.compile(HEAT).measured(TYPE, EXTENT).orElseThrow())
          .startsWith(fastest.kernel() + ", by stencil tune: ");
      assertThat(engine.compile(HEAT).measured(TYPE, Extent.of(9_001))).isEmpty();
      assertThat(engine.compile(HEAT).measured(ElementType.F32, EXTENT)).isEmpty();
    }
  }

  private GpuPrograms open() {
    return GpuPrograms.open(
        driver, driver.devices().get(0), Map.of(GpuOptions.TUNING_FOLDER.key(), folder.toString()));
  }

  /** On a device that does not emulate, every kernel spills. */
  @Test
  void kernelsThatSpillAreLeftOut() {
    FakeGpu spilling = new FakeGpu();
    try (ProgramSearch search = search(spilling.driver(), Map.of(), () -> 0)) {
      ProgramTuning.FoundProgram outcome = search.tune(HEAT, TYPE, EXTENT, trials::add);
      assertThat(outcome.kept().kernel()).isEqualTo(TunedKernel.SINGLE_STEPS);
      assertThat(outcome.measured()).isEqualTo(1);
    }
    assertThat(trials).hasSizeGreaterThan(12);
    assertThat(trials.subList(1, trials.size()))
        .allMatch(trial -> trial.millisPerStep().isEmpty())
        .extracting(Trial::kernel)
        .containsAll(names(estimated()));
    assertThat(spilling.driver().liveHandles()).isEmpty();
  }

  @Test
  void aSearchEndsWithItsTime() {
    AtomicLong seconds = new AtomicLong();
    LongSupplier clock = () -> TimeUnit.SECONDS.toNanos(seconds.getAndAdd(25));
    assertThat(tune(Map.of(), clock).measured()).isEqualTo(3);
    assertThat(trials).hasSize(3);
  }

  @Test
  void fieldsThatDoNotFitAreRefused() {
    Map<String, String> little = Map.of(GpuOptions.DEVICE_BYTES.key(), "100000");
    assertThatThrownBy(() -> tune(little, () -> 0))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("[9000] take 144384 bytes")
        .hasMessageContaining("programs may have 100000")
        .hasMessageEndingWith("or raise spark.stencil.gpu.deviceBytes");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aMeasuredKernelComesFirstAndTheEstimatedOnesFollow() {
    assertThat(names(kernels().measured())).isEmpty();
    assertThat(names(kernels().estimated())).isEqualTo(names(estimated()));
    FusedKernel other = estimated().get(1);
    store().save(FIELDS, new TunedKernel(other.toString(), 0.5, HEAT.toString()));
    List<String> rest = new ArrayList<>(names(estimated()));
    rest.remove(other.toString());
    assertThat(names(kernels().measured())).containsExactly(other.toString());
    assertThat(names(kernels().estimated())).isEqualTo(rest);
    assertThat(kernels().tuned()).isPresent();
  }

  @Test
  void singleStepsThatWereTheFastestAreTaken() {
    store().save(FIELDS, new TunedKernel(TunedKernel.SINGLE_STEPS, 0.5, HEAT.toString()));
    assertThat(kernels().measured()).isEmpty();
    assertThat(kernels().estimated()).isEmpty();
    assertThat(kernels().tuned()).isPresent();
  }

  @Test
  void aKernelThatIsNoMoreIsPassedOverWithAWarning() {
    store().save(FIELDS, new TunedKernel("line of another version", 0.5, HEAT.toString()));
    try (LogLines log = new LogLines(TunedSource.class, Level.WARNING)) {
      FusedSource.Kernels kernels = kernels();
      assertThat(kernels.tuned()).isEmpty();
      assertThat(names(kernels.estimated())).isEqualTo(names(estimated()));
      assertThat(log.lines()).singleElement().asString().contains("line of another version");
    }
  }

  private static List<String> names(List<FusedKernel> kernels) {
    return kernels.stream().map(FusedKernel::toString).toList();
  }
}
