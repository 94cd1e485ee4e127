/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessEnginesTest {
  private static final long CELLS = 1 << 20;

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "1, 100"})
  void anEngineThatTakesWhatIsEstimatedNeedsNoCorrection(int stencils, int steps) {
    StencilSpec mean = new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32);
    List<StencilSpec> specs = Collections.nCopies(stencils, mean);
    PartitionWork work = new PartitionWork(specs, CELLS, steps);
    ProcessEngine host = new ProcessEngine(new CpuEngineProvider(), null, StencilConf.DEFAULTS);
    long nanos = (long) CostModel.nanos(CostModel.Rates.HOST, work, CELLS);
    try (ProcessEngines engines =
        new ProcessEngines(StencilConf.DEFAULTS, List.of(new CpuEngineProvider()), List.of())) {
      engines.observe(work, host, report(CELLS * stencils * steps, nanos));
    }
    assertThat(host.correction().factor()).isCloseTo(1, within(0.01));
  }

  private static TaskReport report(long outputCells, long engineNanos) {
    return new TaskReport(
        "cpu",
        EngineChoice.ASKED_FOR,
        outputCells,
        4 * CELLS,
        engineNanos,
        0,
        DeviceTimes.NONE,
        0,
        Map.of());
  }
}
