/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.cuda.RequiresGpu;
import io.sparkstencil.kernels.codegen.KernelGenerator;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every variant that the selector or the search can emit, on a real device. */
@RequiresGpu
class VariantsGpuTest {
  private static final int[] RADII = {0, 1, 2, 3, 8, 16, 25, 64, 128};

  /** Some 30,000 kernels, of which most time goes into compiling, instead of every ninth. */
  private static final boolean EVERY_VARIANT =
      Boolean.getBoolean("spark.stencil.test.everyVariant");

  private static PrimaryContext context;
  private static KernelCache kernels;

  @BeforeAll
  static void open() {
    context = CudaDriver.get().open(0);
    kernels = new KernelCache(context);
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

  /** Compiles on all cores first: the driver's compiler is most of the time here. */
  private static void compileAll(List<KernelVariant> variants) {
    variants.parallelStream()
        .forEach(variant -> kernels.get(variant, () -> KernelGenerator.generate(variant)));
  }

  private static boolean spills(KernelVariant variant) {
    return kernels.get(variant, () -> KernelGenerator.generate(variant)).function().localBytes()
        > 0;
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyVariantOfEveryRadiusAgreesWithTheReference(ElementType type) {
    DeviceTraits device = GeneratedKernels.selectorTraits(context.traits());
    List<KernelVariant> variants = new ArrayList<>();
    for (Reduction reduction : Reduction.values()) {
      for (int radius : RADII) {
        for (Accuracy accuracy : Accuracy.values()) {
          FlatStencil what = flat(reduction, 2 * radius + 1, type, accuracy, false, 0);
          List<KernelSchedule> candidates = SearchSpace.candidates(device, what);
          for (int i = 0; i < candidates.size(); i++) {
            // Different ones for each stencil, so that all schedules have their turn.
            if (EVERY_VARIANT || i == 0 || (i + radius + reduction.name().length()) % 9 == 0) {
              variants.add(KernelVariant.of(what, candidates.get(i)));
            }
          }
        }
      }
    }
    check(variants, 3);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void nullsAndSkewedHalosAgreeWithTheReference(ElementType type) {
    DeviceTraits device = GeneratedKernels.selectorTraits(context.traits());
    List<KernelVariant> variants = new ArrayList<>();
    for (Reduction reduction : Reduction.values()) {
      for (int width : new int[] {1, 2, 17, 70, 600}) {
        for (int skew = 0; skew < 16 / type.bytes(); skew++) {
          for (boolean nulls : new boolean[] {false, true}) {
            FlatStencil what = flat(reduction, width, type, Accuracy.EXACT, nulls, skew);
            List<KernelSchedule> candidates = SearchSpace.candidates(device, what);
            for (int i = 0; i < candidates.size(); i++) {
              boolean turn = (i + width + skew) % 9 == 0;
              if (i == 0 || (nulls && (turn || EVERY_VARIANT))) {
                variants.add(KernelVariant.of(what, candidates.get(i)));
              }
            }
          }
        }
      }
    }
    check(variants, 5);
  }

  private static void check(List<KernelVariant> variants, long seed) {
    compileAll(variants);
    assertThat(variants.stream().filter(VariantsGpuTest::spills).limit(20)).isEmpty();
    FlatRun run = new FlatRun(context, kernels);
    List<String> wrong =
        variants.parallelStream()
            .flatMap(
                variant -> {
                  int block = variant.how().outputsPerBlock();
                  int skew = variant.what().skewCells();
                  return IntStream.of(1, 31, 33, block - 1, block, 2 * block + 7)
                      .mapToObj(
                          size -> run.check(variant, size, skew + (size % 2) * 16, seed + size));
                })
            .filter(message -> message != null)
            .toList();
    System.out.printf("%d variants checked, %d wrong%n", variants.size(), wrong.size());
    assertThat(wrong.stream().limit(20)).isEmpty();
  }
}
