/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.gpu.FakeKernels;
import io.sparkstencil.kernels.gpu.LogLines;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class KernelCacheTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final FakeKernels source = new FakeKernels(gpu);

  @Test
  void tellsHowFullAKernelCanFillTheDevice() {
    StencilSpec mean = new StencilSpec(Stencil.mean(Frame.radius(2)), ElementType.F32);
    KernelVariant variant = source.candidates(FlatStencil.of(mean, 0, false)).get(0);
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context);
        LogLines log = new LogLines(KernelCache.class, Level.FINE)) {
      LoadedKernel kernel = cache.get(variant, () -> source.generate(variant));
      assertThat(cache.get(variant, () -> source.generate(variant))).isSameAs(kernel);
      // 128 threads of the fake's 32 registers each: 16 blocks have all 64 warps.
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("loaded stencil_mean_w5_f32_exact")
          .endsWith("ms: 16 blocks on a multiprocessor, occupancy 1.00, limited by WARPS");
    }
    assertThat(driver.registry().names()).isEmpty();
  }
}
