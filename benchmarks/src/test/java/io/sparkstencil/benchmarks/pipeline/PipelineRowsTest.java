/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipelineRowsTest {
  private static final LoopWork WORK = LoopWork.parse("weighted/exact/f32/k=2048");

  private static Map<String, List<Double>> rates(double gpu) {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    rates.put("gpu", List.of(gpu, gpu * 1.1, gpu * 0.9));
    rates.put("cpu", List.of(2.0, 2.0, 2.0));
    rates.put("plain", List.of(1.0, 1.0, 1.0));
    return rates;
  }

  private static List<String> names(List<BenchmarkRow> rows) {
    return rows.stream().map(row -> row.subject() + " / " + row.against()).toList();
  }

  @Test
  void everySubjectIsComparedWithThoseAfterItAndGpusWithTheirLinks() {
    PipelineRows rows = new PipelineRows(Map.of("spark.master", "local[2]"), 1);
    rows.add(WORK, rates(6), "");
    List<BenchmarkRow> all = rows.withThoseAgainstOneGpu(List.of());
    assertThat(names(all))
        .containsExactly(
            "gpu / cpu", "gpu / plain", "gpu / link both ways", "cpu / plain", "plain / plain");
    assertThat(all.get(0).value()).isEqualTo(6);
    assertThat(all).extracting(BenchmarkRow::ratio).startsWith(3.0, 6.0).endsWith(2.0, 1.0);
    assertThat(all.get(2).ratio()).isCloseTo(6 / 12.7, within(1e-9));
  }

  @Test
  void twoGpusAreComparedWithOneThatWasMeasuredBeforeUnderTheSameSettings() {
    Map<String, String> settings = Map.of("spark.stencil.gpu.concurrentTasks", "32");
    Map<String, String> pinned =
        Map.of("spark.stencil.gpu.concurrentTasks", "32", "spark.stencil.gpu.device", "0");
    PipelineRows one = new PipelineRows(pinned, 2);
    one.add(WORK, rates(3), "");
    List<BenchmarkRow> before = one.withThoseAgainstOneGpu(List.of());

    PipelineRows two = new PipelineRows(settings, 2);
    two.add(WORK, rates(5.7), "");
    List<BenchmarkRow> all = two.withThoseAgainstOneGpu(before);
    BenchmarkRow last = all.get(all.size() - 1);
    assertThat(last.subject()).isEqualTo("gpu, 2 GPUs, concurrentTasks=32");
    assertThat(last.against()).isEqualTo("gpu, 1 of 2 GPUs, concurrentTasks=32");
    assertThat(last.ratio()).isCloseTo(1.9, within(1e-9));

    PipelineRows other = new PipelineRows(Map.of(), 2);
    other.add(WORK, rates(5.7), "");
    assertThat(other.withThoseAgainstOneGpu(before)).hasSize(5);
  }
}
