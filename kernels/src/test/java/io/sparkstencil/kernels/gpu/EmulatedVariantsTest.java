/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Windows on an emulated device, flat arrays and series under every boundary, by variants of each
 * staging. The emulator does not know bulk copies.
 */
final class EmulatedVariantsTest {
  @ParameterizedTest
  @CsvSource({
    "MEAN, 5, F32, false",
    "MEAN, 17, F64, true",
    "MIN, 17, F32, true",
    "MIN, 9, F64, false",
    "WEIGHTED_SUM, 5, F32, false",
    "WEIGHTED_SUM, 33, F64, false",
    "WEIGHTED_SUM, 9, I32, true",
    "MAX, 34, I64, false",
    "SUM, 70, F32, true",
    "COUNT, 3, I32, true"
  })
  void eachStagingAgreesWithTheReference(
      Reduction reduction, int width, ElementType type, boolean nulls) {
    check(VariantsGpuTest.flat(reduction, width, type, Accuracy.EXACT, nulls, width % 2));
  }

  @ParameterizedTest
  @CsvSource({
    "5, F32, 1, false",
    "9, F64, 0, true",
    "2, F64, 1, false",
    "17, F64, 0, false",
    "130, F64, 1, false",
    "257, F64, 0, false"
  })
  void fusedProductsHaveTheBitsOfFma(int width, ElementType type, int skew, boolean nulls) {
    FlatStencil what =
        VariantsGpuTest.flat(Reduction.WEIGHTED_SUM, width, type, Accuracy.FMA, nulls, skew);
    check(what, new FakeGpu());
    FakeGpu ampere = new FakeGpu();
    ampere.capabilityMajor(8);
    check(what, ampere);
  }

  private static void check(FlatStencil what) {
    check(what, new FakeGpu());
  }

  private static void check(FlatStencil what, FakeGpu gpu) {
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0);
        KernelCache kernels = new KernelCache(context)) {
      KernelSource source = new GeneratedKernels(context.traits(), Map.of());
      List<KernelVariant> variants =
          variants(what, GeneratedKernels.selectorTraits(context.traits(), DeviceProfile.BUILT_IN));
      assertThat(variants).hasSizeGreaterThanOrEqualTo(2);
      assertThat(VariantRun.check(context, kernels, source, variants)).isEmpty();
    }
  }

  /** Returns the first variant of each staging, of each way to place weights, of each form. */
  private static List<KernelVariant> variants(FlatStencil what, DeviceTraits device) {
    Map<List<Object>, KernelVariant> chosen = new LinkedHashMap<>();
    for (KernelSchedule how : SearchSpace.candidates(device, what)) {
      if (how.staging() != StagingStrategy.SHARED_MEMORY_BULK) {
        chosen.putIfAbsent(
            List.of(how.staging(), how.coefficients(), how.form()), new KernelVariant(what, how));
      }
    }
    return List.copyOf(chosen.values());
  }
}
