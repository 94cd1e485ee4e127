/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayStencil;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.plugin.TaskEngine;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is allocated per element on the way of arrays through a GPU. */
@RequiresGpu
final class ArrayAllocationGpuTest {
  /**
   * A tenth of a byte per element. A GPU's batches bring records of their own, 150 to 250 bytes for
   * each of the rows that share one on an H200; anything per element would be 10 000 and more.
   */
  private static final double MOST_BYTES_PER_ROW = 1000;

  /** The way of a task: with the choice of an engine and what watches over it. */
  @ParameterizedTest
  @EnumSource
  void rowsAllocateNextToNothing(ElementType type) {
    StencilConf conf = new StencilConf(Map.of(StencilOptions.ENGINE.key(), "gpu"));
    List<TaskEngine> engines = new ArrayList<>();
    try {
      double bytes =
          ArrayAllocations.perRow(
              type,
              plan -> {
                engines.addAll(plan.engines(conf));
                return engines;
              });
      System.out.printf("%s rows through the GPU: %.1f bytes per row%n", type, bytes);
      assertThat(bytes).isLessThan(MOST_BYTES_PER_ROW);
      assertThat(engines).allSatisfy(engine -> assertThat(engine.name()).isEqualTo("gpu"));
    } finally {
      engines.forEach(TaskEngine::close);
    }
  }

  @Test
  void arraysOfAnRddAllocateTheirResults() {
    ArrayStencil<float[], float[]> mean =
        ArrayStencil.ofFloats(Stencil.mean(Frame.radius(8))).withEngine("gpu");
    double bytes = ArrayAllocations.perArray(mean);
    System.out.printf("arrays through the GPU: %.1f bytes per array beside the result%n", bytes);
    assertThat(bytes).isLessThan(MOST_BYTES_PER_ROW);
  }
}
