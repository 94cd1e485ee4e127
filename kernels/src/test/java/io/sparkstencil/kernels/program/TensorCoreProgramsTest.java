/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.tuning.OtherSums;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.MatrixShape;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensor cores are tried out before a program relies on them. */
class TensorCoreProgramsTest {
  private static final Extent EXTENT = Extent.of(1024, 1024);

  private final FakeGpu gpu = new FakeGpu();

  private static StencilProgram box(int radius) {
    return ProgramText.parse(BoxText.ofRadius(radius), 2)
        .withAccuracy(Accuracy.FMA)
        .withBoundary(Boundary.REFLECT);
  }

  private static Optional<String> kernel(GpuPrograms engine, int radius) {
    try (DeviceProgram fields = engine.open(box(radius), ElementType.F64, EXTENT)) {
      return fields.kernel().map(FusedKernel::toString);
    }
  }

  private GpuPrograms open() {
    CudaDriver driver = gpu.driver();
    return GpuPrograms.open(driver, driver.devices().get(0), Map.of());
  }

  @ParameterizedTest
  @EnumSource
  void theyAreTakenOnlyWithTheBitsOfAChain(OtherSums sums) {
    sums.on(gpu);
    try (GpuPrograms engine = open()) {
      DeviceTraits traits = engine.device().traits(ProgramTraits.of(box(4)), ElementType.F64);
      assertThat(traits.tensorCoresFuse()).isEqualTo(sums == OtherSums.CHAIN);
    }
  }

  @Test
  void boxesOfManyCellsRunOnThem() {
    gpu.emulate();
    try (GpuPrograms engine = open()) {
      assertThat(kernel(engine, 4)).contains("boxes on tensor cores");
      assertThat(kernel(engine, 7).orElseThrow()).startsWith("rows Shape[steps=1,");
    }
  }

  @Test
  void theyAreTriedOnceAndOnlyForProgramsThatTheyCouldTake() {
    OtherSums.CHAIN.on(gpu);
    try (GpuPrograms engine = open()) {
      long before = gpu.calls("launchKernel");
      kernel(engine, 7);
      assertThat(gpu.calls("launchKernel")).isEqualTo(before);
      kernel(engine, 4);
      long tried = gpu.calls("launchKernel");
      // one for each shape of matrices
      assertThat(tried).isEqualTo(before + MatrixShape.of(90).size());
      kernel(engine, 5);
      assertThat(gpu.calls("launchKernel")).isEqualTo(tried);
    }
  }
}
