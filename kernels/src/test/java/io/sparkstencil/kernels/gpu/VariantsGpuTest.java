/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.KernelCases;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every variant that the selector or the search can emit, on a real device; some of them, unless an
 * {@link ExhaustiveRun} is asked for.
 */
@RequiresGpu
class VariantsGpuTest {
  private static final int[] RADII = {0, 1, 2, 3, 8, 16, 25, 64, 128};

  private static PrimaryContext context;
  private static KernelCache kernels;
  private static KernelSource source;

  @BeforeAll
  static void open() {
    context = CudaDriver.get().open(0);
    kernels = new KernelCache(context);
    source = new GeneratedKernels(context.traits(), Map.of());
  }

  @AfterAll
  static void close() {
    kernels.close();
    context.close();
  }

  static FlatStencil flat(
      Reduction reduction,
      int width,
      ElementType type,
      Accuracy accuracy,
      boolean nulls,
      int skew) {
    Weights weights = Weights.NONE;
    if (reduction == Reduction.WEIGHTED_SUM) {
      Random random = new Random(width);
      weights =
          Weights.of(
              IntStream.range(0, width)
                  .mapToDouble(i -> type.isFloating() ? random.nextGaussian() : i % 7 - 3)
                  .toArray());
    }
    return new FlatStencil(reduction, width, weights, type, accuracy, nulls, skew);
  }

  private static boolean spills(KernelVariant variant) {
    return kernels.get(variant, () -> KernelGenerator.generate(variant)).function().localBytes()
        > 0;
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyVariantOfEveryRadiusAgreesWithTheReference(ElementType type) {
    List<List<KernelVariant>> byStencil = new ArrayList<>();
    for (Reduction reduction : KernelCases.reductions(type)) {
      for (int radius : RADII) {
        for (Accuracy accuracy : Accuracy.values()) {
          FlatStencil what = flat(reduction, 2 * radius + 1, type, accuracy, false, 0);
          byStencil.add(variants(what, radius + reduction.name().length(), 29));
        }
      }
    }
    check("variants of " + type, byStencil);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void nullsAndSkewedHalosAgreeWithTheReference(ElementType type) {
    List<List<KernelVariant>> byStencil = new ArrayList<>();
    for (Reduction reduction : KernelCases.reductions(type)) {
      for (int width : new int[] {1, 2, 17, 70, 600}) {
        for (int skew = 0; skew < 16 / type.bytes(); skew++) {
          for (boolean nulls : new boolean[] {false, true}) {
            FlatStencil what = flat(reduction, width, type, Accuracy.EXACT, nulls, skew);
            byStencil.add(variants(what, width + skew, nulls ? 29 : Integer.MAX_VALUE));
          }
        }
      }
    }
    check("variants with nulls and skewed halos of " + type, byStencil);
  }

  /** All, or else the selector's choice and every so many, other ones for each stencil. */
  private static List<KernelVariant> variants(FlatStencil what, int turn, int every) {
    DeviceTraits device = GeneratedKernels.selectorTraits(context.traits(), DeviceProfile.BUILT_IN);
    List<KernelSchedule> candidates = SearchSpace.candidates(device, what);
    return IntStream.range(0, candidates.size())
        .filter(i -> ExhaustiveRun.isAsked() || i == 0 || (i + turn) % every == 0)
        .mapToObj(i -> new KernelVariant(what, candidates.get(i)))
        .toList();
  }

  /** Stencils go in parallel, as compiling is most of the time. */
  private static void check(String check, List<List<KernelVariant>> byStencil) {
    long start = System.nanoTime();
    List<List<KernelVariant>> mine = ExhaustiveRun.partOf(byStencil);
    List<KernelVariant> variants = mine.stream().flatMap(List::stream).toList();
    List<String> wrong =
        mine.parallelStream()
            .flatMap(each -> VariantRun.check(context, kernels, source, each).stream())
            .toList();
    List<KernelVariant> spilled = variants.stream().filter(VariantsGpuTest::spills).toList();
    Map<String, Number> numbers = new LinkedHashMap<>();
    numbers.put("stencils", mine.size());
    numbers.put("variants", variants.size());
    numbers.put("launches", (long) variants.size() * VariantRun.LAUNCHES);
    numbers.put("wrong", wrong.size());
    numbers.put("spilled", spilled.size());
    numbers.put("seconds", (System.nanoTime() - start) / 1e9);
    ExhaustiveRun.summarize(check, numbers);
    assertThat(wrong.stream().limit(20)).isEmpty();
    assertThat(spilled.stream().limit(20)).isEmpty();
  }
}
