/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.program.Extent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of cells and of rasters have the bits of the CPU on an emulated device. */
final class RasterProgramsEmulatedTest {
  private static final Extent RASTER = Extent.of(21, 43);

  private static List<String> elementary() {
    return RasterPrograms.ELEMENTARY;
  }

  private static List<String> focal() {
    return RasterPrograms.FOCAL;
  }

  private static GpuPrograms open() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    return ProgramChecks.open(gpu.driver(), Map.of(), ProgramChecks.NEVER);
  }

  @ParameterizedTest
  @MethodSource("elementary")
  void elementaryFunctionsHaveTheBitsOfTheCpu(String text) {
    try (GpuPrograms engine = open()) {
      assertThat(RasterPrograms.elementary(engine, text, RASTER, 1)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("focal")
  void functionsOfRastersHaveTheBitsOfTheCpu(String text) {
    try (GpuPrograms engine = open()) {
      assertThat(RasterPrograms.focal(engine, text, RASTER, 1)).isEmpty();
    }
  }
}
