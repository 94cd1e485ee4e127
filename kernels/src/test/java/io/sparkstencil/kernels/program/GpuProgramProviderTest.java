/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgramProvider;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is too small for a GPU stays on the CPU. */
final class GpuProgramProviderTest {
  private static final ProgramEngineProvider GPU = new GpuProgramProvider();

  @ParameterizedTest
  @CsvSource({
    "64, 64, 100, 1, cpu",
    "500, 500, 1, 1, cpu",
    "1000, 1000, 100, 1, gpu",
    "8192, 8192, 1, 8, cpu",
    "8192, 8192, 1000, 16, gpu"
  })
  void theFasterEngineIsExpectedToBe(int rows, int columns, int steps, int threads, String faster) {
    ProgramWork work =
        ProgramWork.of(ProgramTraits.of(ProgramText.parse("u' = u[-1,0] + u[0,1] - 2*u")))
            .of(ElementType.F64, Extent.of(rows, columns), steps, threads);
    double gpu = GPU.estimate(work).seconds();
    double cpu = new CpuProgramProvider().estimate(work).seconds();
    assertThat(gpu < cpu ? "gpu" : "cpu").isEqualTo(faster);
  }

  @ParameterizedTest
  @CsvSource({
    "'u'' = u[-1] + u[1]', 1048576",
    "'u'' = u[-1,0] + u[0,1]', 4096x4096",
    "'u'' = u[-1,0,0] + u[0,0,1]', 512x512x512"
  })
  void severalStepsAreTakenAtOnceInLargeArrays(String text, String sizes) {
    Extent extent =
        new Extent(Stream.of(sizes.split("x")).map(Integer::valueOf).collect(Collectors.toList()));
    int steps = GPU.stepsAtOnce(ProgramText.parse(text), ElementType.F32, extent);
    assertThat(steps).isBetween(2, 64);
    Extent tiny = new Extent(Collections.nCopies(extent.sizes().size(), 3));
    assertThat(GPU.stepsAtOnce(ProgramText.parse(text), ElementType.F32, tiny)).isEqualTo(1);
  }

  @Test
  void blocksHaveTheRoomThatOptionsLeaveThem() {
    long eight = 8L << 30;
    Map<String, String> programs = Map.of(GpuOptions.DEVICE_BYTES.key(), "8g");
    Map<String, String> blocks = Map.of(GpuOptions.GRID_BYTES.key(), "8g");
    assertThat(GPU.roomForBlocks(programs)).isEqualTo(eight / 2);
    assertThat(GPU.roomForBlocks(blocks)).isEqualTo(eight);
    assertThat(GPU.roomForBlocks(Map.of())).isBetween(1L << 30, 1L << 40);
    assertThat(new CpuProgramProvider().roomForBlocks(programs)).isZero();
  }

  @Test
  void theProviderIsFoundWithOrWithoutADevice() {
    try (ProgramEngines engines = ProgramEngines.select("auto", Map.of())) {
      assertThat(engines).isNotNull();
    }
    assertThat(List.of(GPU.name(), GPU.rank())).isEqualTo(List.of("gpu", 200));
  }
}
