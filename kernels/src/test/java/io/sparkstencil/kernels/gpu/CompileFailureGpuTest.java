/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kernels that the driver's own compiler refuses. */
@RequiresGpu
class CompileFailureGpuTest {
  private static final StencilSpec MEAN =
      new StencilSpec(Stencil.mean(Frame.radius(3)), ElementType.F32);

  /**
   * Good kernels, of which the first few have a line that is no PTX.
   *
   * @param below makes good kernels
   * @param broken how many variants are broken
   */
  private record Broken(KernelSource below, int broken) implements KernelSource {
    @Override
    public List<KernelVariant> candidates(FlatStencil what) {
      return below.candidates(what);
    }

    @Override
    public GeneratedKernel generate(KernelKey key) {
      GeneratedKernel good = below.generate(key);
      if (!(key instanceof KernelVariant variant)
          || candidates(variant.what()).indexOf(variant) >= broken) {
        return good;
      }
      return new GeneratedKernel(
          good.entryName(),
          good.ptx().replace("ret;", "add.nonsense %r1, %r2;\nret;"),
          good.threadsPerBlock(),
          good.outputsPerBlock(),
          good.staticSharedBytes(),
          good.dynamicSharedBytes(),
          good.parameters(),
          good.weights());
    }
  }

  private static GpuEngine engine(int broken) {
    CudaDriver driver = CudaDriver.get();
    CudaDevice device = driver.devices().get(0);
    Map<String, String> options = Map.of();
    return GpuEngine.open(
        driver, device, options, new Broken(new GeneratedKernels(device, options), broken));
  }

  @Test
  void theNextVariantTakesOver() {
    int before = CudaDriver.get().liveHandles().size();
    try (GpuEngine engine = engine(1);
        GpuEngine whole = engine(0)) {
      assertThat(engine.compile(MEAN).description())
          .isNotEqualTo(whole.compile(MEAN).description());
    }
    assertThat(CudaDriver.get().liveHandles().size()).isEqualTo(before);
  }

  @Test
  void withoutAGoodVariantTheCompilersLogIsTold() {
    int before = CudaDriver.get().liveHandles().size();
    try (GpuEngine engine = engine(100)) {
      assertThatThrownBy(() -> engine.compile(MEAN))
          .isInstanceOf(KernelCompilationException.class)
          .hasMessageContaining("CUDA_ERROR_INVALID_PTX")
          .hasMessageContaining("ptxas");
    }
    assertThat(CudaDriver.get().liveHandles().size()).isEqualTo(before);
  }
}
