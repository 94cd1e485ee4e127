/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.tuning.MatrixTrial;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.MatrixShape;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matrices of doubles on a real device, those too that another device would take. */
@RequiresGpu
final class TensorCoresGpuTest {
  private static final int[] WIDTHS = {1, 8, 17, 66, 130, 257, 514};

  @ParameterizedTest
  @EnumSource
  void matricesHaveTheBitsOfAChainOfFma(MatrixShape shape) {
    try (PrimaryContext context = CudaDriver.get().open(0)) {
      assumeTrue(context.traits().capability() >= shape.target().architecture());
      assertThat(MatrixTrial.reasonAgainst(context, shape)).isEmpty();
    }
    try (StencilEngine engine = new GpuEngineProvider().open(Map.of())) {
      assertThat(engine.description()).doesNotContain("tensor cores");
    }
  }

  @ParameterizedTest
  @EnumSource
  void weightedSumsOfAnyShapeAgreeWithTheReference(MatrixShape shape) {
    try (PrimaryContext context = CudaDriver.get().open(0);
        KernelCache kernels = new KernelCache(context)) {
      assumeTrue(context.traits().capability() >= shape.target().architecture());
      KernelSource source = new GeneratedKernels(context.traits(), Map.of());
      DeviceTraits device =
          new DeviceTraits(shape.target().architecture(), context.traits().sharedBytesPerBlock());
      List<String> wrong = new ArrayList<>();
      for (int width : WIDTHS) {
        FlatStencil what =
            VariantsGpuTest.flat(
                Reduction.WEIGHTED_SUM, width, ElementType.F64, Accuracy.FMA, false, width % 2);
        List<KernelVariant> variants =
            SearchSpace.candidates(device, what).stream()
                .filter(how -> how.form().matrices().isPresent())
                .map(how -> new KernelVariant(what, how))
                .toList();
        assertThat(variants).isNotEmpty();
        wrong.addAll(VariantRun.check(context, kernels, source, variants));
      }
      assertThat(wrong).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void specialCellsOfAnyTileAreKeptApart(MatrixShape shape) {
    try (PrimaryContext context = CudaDriver.get().open(0)) {
      assumeTrue(context.traits().capability() >= shape.target().architecture());
      assertThat(TileTurns.wrong(context, shape)).isEmpty();
    }
  }
}
