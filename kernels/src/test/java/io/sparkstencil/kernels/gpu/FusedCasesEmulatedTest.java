/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Weighted sums with fused products: an emulated device and the CPU have equal bits. */
final class FusedCasesEmulatedTest {
  private static final int SUMS = 12;
  private static final int SERIES = 3;

  @Test
  void seriesAtRandomHaveTheBitsOfAChainOfFma() {
    FakeGpu fake = new FakeGpu();
    fake.emulate();
    List<String> wrong = new ArrayList<>();
    List<String> kernels = new ArrayList<>();
    try (StencilEngine gpu = new GpuEngineProvider(fake.driver()).open(Map.of());
        StencilEngine cpu = new CpuEngineProvider().open(Map.of())) {
      for (int sum = 0; sum < SUMS; sum++) {
        Random random = FusedCases.random(sum);
        StencilSpec spec = FusedCases.spec(random);
        List<TestSeries> series = FusedCases.series(random, SERIES);
        List<SeriesOracle.Expected> expected =
            series.stream().map(one -> SeriesOracle.expected(one, spec)).toList();
        wrong.addAll(FusedCases.differences(gpu, spec, series, expected));
        wrong.addAll(FusedCases.differences(cpu, spec, series, expected));
        kernels.add(gpu.compile(spec).description());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(kernels).filteredOn(name -> name.contains("_mma")).isNotEmpty();
    assertThat(kernels).filteredOn(name -> !name.contains("_mma")).isNotEmpty();
  }
}
