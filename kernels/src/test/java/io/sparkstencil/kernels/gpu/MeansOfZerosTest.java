/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums begin with 0.0, so that means of zeros are 0.0 whatever their signs. Kernels leave the 0.0
 * out, and add it where they divide: by a power of two, or by another width.
 */
final class MeansOfZerosTest {
  private static final int CELLS = 100;

  @ParameterizedTest
  @CsvSource({"4, F32", "5, F32", "4, F64", "5, F64"})
  void meansOfNegativeZerosAreThoseOfTheReference(int width, ElementType type) {
    Stencil mean = Stencil.mean(Frame.precedingFollowing(width - 1, 0));
    StencilSpec spec = new StencilSpec(mean.withBoundary(Boundary.VALID), type);
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    CudaDriver driver = gpu.driver();
    try (GpuEngine engine = GpuEngine.open(driver, driver.devices().get(0), Map.of())) {
      Object means = means(engine, spec);

      assertThat(means).isEqualTo(means(new ReferenceEngine(), spec));
      assertThat(Array.getDouble(means, CELLS - 1)).isEqualTo(0.0); // and not -0.0
    }
  }

  private static Object means(StencilEngine engine, StencilSpec spec) {
    Object cells = spec.type().newArray(CELLS);
    if (cells instanceof float[] singles) {
      Arrays.fill(singles, -0.0f);
    } else {
      Arrays.fill((double[]) cells, -0.0);
    }
    Segment<Integer> series = new Segment<>(0, cells, null, 0, CELLS, null, null, 1);
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, List.of(spec), CELLS)) {
      return pipeline.run(List.of(series).iterator()).next().result(0, spec.type());
    }
  }
}
