/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.edge.EdgeKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.CopyKernel;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.ClassicKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A few kernels whose text is kept, so that a change of a generator shows in a review. After an
 * intended change, run with {@code -Dsparkstencil.golden.update=true} and read the difference.
 */
class GoldenPtxTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");
  private static final DeviceTraits WITHOUT_TENSOR_CORES = DeviceTraits.H200.withTensorCores(false);
  private static final boolean UPDATE = Boolean.getBoolean("sparkstencil.golden.update");

  static List<GeneratedKernel> kernels() {
    FlatStencil mean = KernelCases.of(Reduction.MEAN, 3, ElementType.F32, Accuracy.EXACT, false, 0);
    FlatStencil nulls = KernelCases.of(Reduction.MEAN, 3, ElementType.F32, Accuracy.EXACT, true, 0);
    return List.of(
        selected(mean),
        selected(KernelCases.of(Reduction.MIN, 17, ElementType.F32, Accuracy.EXACT, false, 1)),
        KernelGenerator.generate(new KernelVariant(mean, bulkCopied(mean).withPersisting(16))),
        KernelGenerator.generate(
            new KernelVariant(nulls, ClassicKernel.REGISTER_CACHE.schedule(nulls))),
        selected(KernelCases.of(Reduction.SUM, 5, ElementType.I64, Accuracy.EXACT, true, 0)),
        selected(weighted(Accuracy.FMA)),
        KernelGenerator.generate(
            new KernelVariant(
                weighted(Accuracy.FAST),
                ScheduleSelector.select(WITHOUT_TENSOR_CORES, weighted(Accuracy.FAST)))),
        KernelGenerator.generate(
            new KernelVariant(mean, ClassicKernel.REGISTER_CACHE.schedule(mean))),
        KernelGenerator.generate(
            new KernelVariant(mean, ClassicKernel.SHARED_MEMORY.schedule(mean))),
        EdgeKernel.generate(
            new EdgeVariant(
                EdgeVariant.Task.VALUES,
                Reduction.MEAN,
                ElementType.F32,
                EdgeVariant.Form.LANE_PER_OUTPUT)),
        EdgeKernel.generate(
            new EdgeVariant(
                EdgeVariant.Task.VALUES,
                Reduction.MIN,
                ElementType.F32,
                EdgeVariant.Form.SHARED_CORE)),
        new CopyKernel(256, 1, CacheHints.NONE).generate());
  }

  private static FlatStencil weighted(Accuracy accuracy) {
    return KernelCases.of(Reduction.WEIGHTED_SUM, 67, ElementType.F64, accuracy, false, 0);
  }

  private static KernelSchedule bulkCopied(FlatStencil what) {
    return ScheduleSelector.select(DeviceTraits.H200, what)
        .withStaging(StagingStrategy.SHARED_MEMORY_BULK);
  }

  private static GeneratedKernel selected(FlatStencil what) {
    return KernelGenerator.generate(
        new KernelVariant(what, ScheduleSelector.select(DeviceTraits.H200, what)));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void textIsTheOneThatWasReviewed(GeneratedKernel kernel) throws IOException {
    Path file = FOLDER.resolve(kernel.entryName() + ".ptx");
    if (UPDATE) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, kernel.ptx());
    }
    assertThat(file).as("a new variant or another name: update the golden files").exists();
    assertThat(kernel.ptx()).isEqualTo(Files.readString(file));
  }
}
