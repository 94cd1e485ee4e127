/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.Extent;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of cells and of rasters have the bits of the CPU on a real device. */
@RequiresGpu
final class RasterProgramsGpuTest {
  private static final Extent RASTER = Extent.of(401, 523);
  private static final int STEPS = 3;

  private static GpuPrograms single;
  private static GpuPrograms fused;

  @BeforeAll
  static void open() {
    single = ProgramChecks.open(Map.of(), ProgramChecks.NEVER);
    fused = ProgramChecks.open(Map.of(), ProgramChecks.ALWAYS);
  }

  @AfterAll
  static void close() {
    single.close();
    fused.close();
  }

  private static List<String> elementary() {
    return RasterPrograms.ELEMENTARY;
  }

  private static List<String> focal() {
    return RasterPrograms.FOCAL;
  }

  @ParameterizedTest
  @MethodSource("elementary")
  void elementaryFunctionsHaveTheBitsOfTheCpu(String text) {
    assertThat(RasterPrograms.elementary(single, text, RASTER, 1)).isEmpty();
    assertThat(RasterPrograms.elementary(fused, text, RASTER, STEPS)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("focal")
  void functionsOfRastersHaveTheBitsOfTheCpu(String text) {
    assertThat(RasterPrograms.focal(single, text, RASTER, 1)).isEmpty();
    assertThat(RasterPrograms.focal(fused, text, RASTER, STEPS)).isEmpty();
  }
}
