/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.testkit.RequiresGpu;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Weighted sums with fused products: a real device, the CPU and the reference have equal bits. */
@RequiresGpu
final class FusedCasesGpuTest {
  private static final int SUMS = 160;
  private static final int SERIES = 64;

  @Test
  void tenThousandSeriesHaveTheBitsOfAChainOfFma() {
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    AtomicInteger onTensorCores = new AtomicInteger();
    try (StencilEngine gpu = new GpuEngineProvider().open(Map.of());
        StencilEngine cpu = new CpuEngineProvider().open(Map.of());
        StencilEngine reference = new ReferenceEngine()) {
      IntStream.range(0, SUMS)
          .parallel()
          .forEach(
              sum -> {
                Random random = FusedCases.random(sum);
                StencilSpec spec = FusedCases.spec(random);
                List<TestSeries> series = FusedCases.series(random, SERIES);
                List<SeriesOracle.Expected> expected =
                    series.stream().map(one -> SeriesOracle.expected(one, spec)).toList();
                for (StencilEngine engine : List.of(gpu, cpu, reference)) {
                  wrong.addAll(FusedCases.differences(engine, spec, series, expected));
                }
                if (gpu.compile(spec).description().contains("_mma")) {
                  onTensorCores.incrementAndGet();
                }
              });
    }
    System.out.printf(
        "%d series, %d of %d sums on tensor cores, %d wrong%n",
        SUMS * SERIES, onTensorCores.get(), SUMS, wrong.size());
    assertThat(wrong).isEmpty();
  }
}
