/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.gpu.FakeKernels;
import io.sparkstencil.kernels.gpu.LogLines;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;

class KernelCacheTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final FakeKernels source = new FakeKernels(gpu);

  @Test
  void tellsHowFullAKernelCanFillTheDevice() {
    KernelVariant variant = mean(2);
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
          .endsWith("ms: 16 blocks on a multiprocessor, occupancy 1.00");
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void blocksThatTakeTurnsAreNoMoreThanRunAtTheSameTime() {
    String entry = "takes_turns";
    GeneratedKernel generated =
        new GeneratedKernel(
            entry, ".visible .entry " + entry + "(", 128, 1000, 0, 0, List.of(), true, null);
    List<Long> threads = new ArrayList<>();
    gpu.kernel(entry, (device, launched, arguments) -> threads.add(launched));
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context);
        CudaStream stream = context.newStream()) {
      LoadedKernel kernel = cache.get(mean(1), () -> generated);
      kernel.launch(stream, 5001, new LaunchArguments());
      kernel.launch(stream, 1 << 30, new LaunchArguments());
      stream.synchronize();
    }
    // 16 blocks on each of the fake's 132 multiprocessors
    assertThat(threads).containsExactly(6 * 128L, 132 * 16 * 128L);
  }

  private KernelVariant mean(int radius) {
    StencilSpec mean = new StencilSpec(Stencil.mean(Frame.radius(radius)), ElementType.F32);
    return source.candidates(FlatStencil.of(mean, 0, false)).get(0);
  }

  @Test
  void unloadsTheLeastRecentlyUsedOfThoseThatNobodyHolds() {
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context, 2)) {
      HeldKernels lane = cache.hold(source::generate);
      lane.get(mean(1));
      try (HeldKernels other = cache.hold(source::generate)) {
        other.get(mean(2));
        other.get(mean(3));
        other.get(mean(2));
        assertThat(cache.size()).isEqualTo(3); // all held
      }
      assertThat(cache.size()).isEqualTo(2);
      assertThat(gpu.calls("moduleUnload")).isOne();
      lane.close();
      assertThat(gpu.calls("moduleUnload")).isOne(); // no more than may stay
      try (HeldKernels again = cache.hold(source::generate)) {
        again.get(mean(1));
        assertThat(gpu.calls("moduleLoad")).isEqualTo(3); // it was held, so it is still there
      }
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void whatSeveralHoldStaysUntilTheLastOfThemIsDone() {
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context, 0)) {
      HeldKernels first = cache.hold(source::generate);
      HeldKernels second = cache.hold(source::generate);
      LoadedKernel kernel = first.get(mean(1));
      assertThat(second.get(mean(1))).isSameAs(kernel);
      first.close();
      first.close();
      assertThat(kernel.function().localBytes()).isPositive();
      second.close();
      assertThat(cache.size()).isZero();
      assertThatThrownBy(() -> kernel.function().localBytes())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("KernelFunction");
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void whatTheOwnerTookStaysUntilTheCacheIsClosed() {
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context, 0)) {
      cache.get(mean(1), () -> source.generate(mean(1)));
      try (HeldKernels lane = cache.hold(source::generate)) {
        lane.get(mean(1));
        lane.get(mean(2));
      }
      assertThat(cache.size()).isOne();
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void aFailureIsNotKept() {
    try (PrimaryContext context = driver.open(0);
        KernelCache cache = new KernelCache(context, 1);
        HeldKernels lane = cache.hold(source::generate)) {
      gpu.fail("moduleLoad", CUresult.CUDA_ERROR_INVALID_PTX);
      assertThatThrownBy(() -> lane.get(mean(1))).isInstanceOf(KernelCompilationException.class);
      gpu.fail("moduleLoad", CUresult.CUDA_SUCCESS);
      assertThat(lane.get(mean(1)).function().localBytes()).isPositive();
    }
    assertThat(driver.liveHandles()).isEmpty();
  }
}
