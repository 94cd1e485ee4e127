/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelCases;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The check of variants itself, over a device made of host memory: good ones pass, bad ones fail.
 */
class VariantRunTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final PrimaryContext context = driver.open(0);
  private final KernelCache kernels = new KernelCache(context);
  private final FakeKernels source = new FakeKernels(gpu);

  @AfterEach
  void nothingIsLeft() {
    kernels.close();
    context.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  private List<String> check(FlatStencil what) {
    KernelVariant variant = source.candidates(what).get(0);
    return VariantRun.check(context, kernels, source, List.of(variant));
  }

  @ParameterizedTest
  @EnumSource(Reduction.class)
  void goodKernelsPass(Reduction reduction) {
    for (ElementType type : ElementType.values()) {
      if (!KernelCases.reductions(type).contains(reduction)) {
        continue;
      }
      for (int width : new int[] {1, 2, 17}) {
        for (boolean nulls : new boolean[] {false, true}) {
          for (Accuracy accuracy : Accuracy.values()) {
            assertThat(
                    check(VariantsGpuTest.flat(reduction, width, type, accuracy, nulls, width % 2)))
                .isEmpty();
          }
        }
      }
    }
  }

  @Test
  void wrongResultsAreFound() {
    FlatStencil what =
        VariantsGpuTest.flat(Reduction.SUM, 5, ElementType.F32, Accuracy.EXACT, false, 0);
    FlatStencil other =
        VariantsGpuTest.flat(Reduction.MEAN, 5, ElementType.F32, Accuracy.EXACT, false, 0);
    KernelVariant variant = source.candidates(what).get(0);
    GeneratedKernel kernel = source.generate(variant);
    GeneratedKernel wrong = source.generate(source.candidates(other).get(0));
    assertThat(kernel.parameters()).isEqualTo(wrong.parameters());
    kernels.get(variant, () -> wrong);
    assertThat(VariantRun.check(context, kernels, source, List.of(variant)))
        .hasSize(VariantRun.LAUNCHES)
        .anySatisfy(message -> assertThat(message).contains("expected"));
  }
}
