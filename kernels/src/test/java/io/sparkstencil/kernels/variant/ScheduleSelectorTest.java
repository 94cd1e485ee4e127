/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.kernels.codegen.KernelCases;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleSelectorTest {
  private static final DeviceTraits V100 = new DeviceTraits(70, 98_304);

  private static FlatStencil stencil(
      Reduction reduction, int width, ElementType type, Accuracy accuracy, boolean nullable) {
    double[] weights = new double[reduction == Reduction.WEIGHTED_SUM ? width : 0];
    Arrays.fill(weights, 2);
    return new FlatStencil(reduction, width, Weights.of(weights), type, accuracy, nullable, 0);
  }

  private static List<FlatStencil> all() {
    List<FlatStencil> all = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      for (Reduction reduction : KernelCases.reductions(type)) {
        for (Accuracy accuracy : Accuracy.values()) {
          for (int width = 1; width < 20_000; width = width < 80 ? width + 1 : width * 5 / 4) {
            all.add(stencil(reduction, width, type, accuracy, false));
            all.add(stencil(reduction, width, type, accuracy, true));
          }
        }
      }
    }
    return all;
  }

  @Test
  void everyStencilGetsAScheduleThatCanRunIt() {
    for (FlatStencil what : all()) {
      for (DeviceTraits traits : List.of(V100, DeviceTraits.H200)) {
        KernelSchedule how = ScheduleSelector.select(traits, what);
        assertThat(ScheduleRules.reasonAgainst(what, how)).as(what.label()).isEmpty();
        assertThat(new KernelVariant(what, how).where().architecture())
            .as(what.label())
            .isLessThanOrEqualTo(traits.computeCapability());
      }
    }
  }

  private static DeviceTraits with(double compute, double async, long cacheBytes) {
    DeviceProfile h200 = DeviceProfile.BUILT_IN;
    return new DeviceTraits(
        90,
        232_448,
        new DeviceProfile(
            "a test",
            h200.copyGigabytes(),
            compute * h200.additionsGiga(),
            compute * h200.sharedGigabytes(),
            async,
            cacheBytes,
            h200.linkGigabytes(),
            h200.launchMicros()));
  }

  @Test
  void theProfileOfAnotherDeviceChangesTheChoice() {
    FlatStencil frame = stencil(Reduction.MEAN, 41, ElementType.F32, Accuracy.EXACT, false);
    KernelSchedule usual = ScheduleSelector.select(DeviceTraits.H200, frame);
    assertThat(usual.staging()).isEqualTo(StagingStrategy.SHARED_MEMORY_ASYNC);
    assertThat(usual.cellsPerThread()).isEqualTo(20);
    KernelSchedule slowCopies = ScheduleSelector.select(with(1, 0.8, 60L << 20), frame);
    assertThat(slowCopies.staging()).isEqualTo(StagingStrategy.SHARED_MEMORY);
    KernelSchedule fastMath = ScheduleSelector.select(with(2, 1, 60L << 20), frame);
    assertThat(fastMath.cellsPerThread()).isEqualTo(12);
    KernelSchedule slowMath = ScheduleSelector.select(with(0.5, 1, 60L << 20), frame);
    assertThat(slowMath.cellsPerThread()).isEqualTo(28);
    FlatStencil wide = stencil(Reduction.MIN, 32_000, ElementType.F32, Accuracy.EXACT, false);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, wide).cellsPerThread()).isEqualTo(20);
    assertThat(ScheduleSelector.select(with(1, 1, 6L << 20), wide).cellsPerThread()).isEqualTo(28);
  }

  @Test
  void anotherSurveyOfTheSameKindOfDeviceChangesNothing() {
    for (DeviceTraits traits : List.of(with(1.08, 1.2, 57L << 20), with(0.92, 0.97, 60L << 20))) {
      assertThat(all())
          .allSatisfy(
              what ->
                  assertThat(ScheduleSelector.select(traits, what))
                      .isEqualTo(ScheduleSelector.select(DeviceTraits.H200, what)));
    }
  }

  @Test
  void everyStencilGetsAScheduleThatCanRunItWhateverTheProfile() {
    for (DeviceTraits traits : List.of(with(1e-3, 0.1, 1 << 20), with(1e3, 10, 1L << 40))) {
      for (FlatStencil what : all()) {
        KernelSchedule how = ScheduleSelector.select(traits, what);
        assertThat(ScheduleRules.reasonAgainst(what, how)).as(what.label()).isEmpty();
      }
    }
  }

  @Test
  void theWidestFramesTakeCoresOrLoops() {
    int widest = (1 << 27) + 1;
    assertThat(
            ScheduleSelector.select(
                    DeviceTraits.H200,
                    stencil(Reduction.MIN, widest, ElementType.F32, Accuracy.EXACT, false))
                .form())
        .isEqualTo(ReductionForm.BLOCK_CORE);
    assertThat(
            ScheduleSelector.select(
                    DeviceTraits.H200,
                    stencil(Reduction.SUM, widest, ElementType.F32, Accuracy.EXACT, false))
                .form())
        .isEqualTo(ReductionForm.SEQUENTIAL_LOOP);
  }

  @Test
  void floatingPointSumsAreRegroupedOnlyIfFast() {
    FlatStencil exact = stencil(Reduction.SUM, 65, ElementType.F64, Accuracy.EXACT, false);
    FlatStencil fast = stencil(Reduction.SUM, 65, ElementType.F64, Accuracy.FAST, false);
    FlatStencil integers = stencil(Reduction.SUM, 65, ElementType.I64, Accuracy.EXACT, false);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, exact).form())
        .isEqualTo(ReductionForm.SEQUENTIAL);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, fast).form())
        .isEqualTo(ReductionForm.SHARED_CORE);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, integers).form())
        .isEqualTo(ReductionForm.SHARED_CORE);
  }

  @Test
  void asynchronousCopiesNeedAmpere() {
    FlatStencil what = stencil(Reduction.MEAN, 17, ElementType.F32, Accuracy.EXACT, false);
    assertThat(ScheduleSelector.select(V100, what).staging())
        .isEqualTo(StagingStrategy.SHARED_MEMORY);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, what).staging())
        .isEqualTo(StagingStrategy.SHARED_MEMORY_ASYNC);
  }

  @Test
  void exactWeightedSumsOfManyTapsAreFilledThroughRegisters() {
    FlatStencil narrow =
        stencil(Reduction.WEIGHTED_SUM, 32, ElementType.F32, Accuracy.EXACT, false);
    FlatStencil wide = stencil(Reduction.WEIGHTED_SUM, 33, ElementType.F32, Accuracy.EXACT, false);
    FlatStencil fast = stencil(Reduction.WEIGHTED_SUM, 33, ElementType.F32, Accuracy.FAST, false);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, narrow).staging())
        .isEqualTo(StagingStrategy.SHARED_MEMORY_ASYNC);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, wide).staging())
        .isEqualTo(StagingStrategy.SHARED_MEMORY);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, fast).staging())
        .isEqualTo(StagingStrategy.SHARED_MEMORY_ASYNC);
  }

  @Test
  void tensorCoresGetBlocksThatLeaveRoomForMostWarps() {
    for (int[] one : new int[][] {{65, 64}, {129, 64}, {257, 64}, {513, 128}, {1025, 256}}) {
      FlatStencil what =
          KernelCases.of(Reduction.WEIGHTED_SUM, one[0], ElementType.F64, Accuracy.FMA, false, 0);
      KernelSchedule how = ScheduleSelector.select(DeviceTraits.H200, what);
      assertThat(how.form()).isEqualTo(ReductionForm.TENSOR_CORE_DEEP);
      assertThat(how.threadsPerBlock()).as(what.label()).isEqualTo(one[1]);
    }
    // matrices of 8 products would multiply 80 cells for 74, those of 4 products 76
    FlatStencil between =
        KernelCases.of(Reduction.WEIGHTED_SUM, 67, ElementType.F64, Accuracy.FMA, false, 0);
    assertThat(ScheduleSelector.select(DeviceTraits.H200, between).form())
        .isEqualTo(ReductionForm.TENSOR_CORE);
  }

  @Test
  void bulkCopiesAreLeftToTheSearch() {
    for (FlatStencil what : all()) {
      assertThat(ScheduleSelector.select(DeviceTraits.H200, what).staging())
          .as(what.label())
          .isNotEqualTo(StagingStrategy.SHARED_MEMORY_BULK);
    }
  }

  @Test
  void bulkCopiesAreTriedOnHopperOnly() {
    FlatStencil what = stencil(Reduction.MIN, 17, ElementType.F32, Accuracy.EXACT, false);
    DeviceTraits ampere = new DeviceTraits(80, 166_912);
    assertThat(SearchSpace.candidates(DeviceTraits.H200, what))
        .extracting(KernelSchedule::staging)
        .contains(StagingStrategy.SHARED_MEMORY_BULK);
    assertThat(SearchSpace.candidates(ampere, what))
        .extracting(KernelSchedule::staging)
        .doesNotContain(StagingStrategy.SHARED_MEMORY_BULK);
    KernelSchedule bulk =
        ScheduleSelector.select(DeviceTraits.H200, what)
            .withStaging(StagingStrategy.SHARED_MEMORY_BULK);
    assertThat(new KernelVariant(what, bulk).where()).isEqualTo(PtxTarget.HOPPER);
    KernelSchedule padded =
        new KernelSchedule(
            StagingStrategy.SHARED_MEMORY_BULK,
            64,
            8,
            16,
            CoefficientPlacement.IMMEDIATE,
            ReductionForm.SHARED_CORE,
            CacheHints.NONE,
            64,
            0);
    assertThat(ScheduleRules.reasonAgainst(what, padded).orElse("")).contains("no padding");
  }

  @Test
  void aWindowOfTheCacheIsAnAxisOfItsOwn() {
    FlatStencil what = stencil(Reduction.MIN, 17, ElementType.F32, Accuracy.EXACT, false);
    KernelSchedule chosen = ScheduleSelector.select(DeviceTraits.H200, what);
    KernelSchedule window = chosen.withPersisting(16);
    assertThat(chosen.persistingMebibytes()).isZero();
    assertThat(window.label()).isEqualTo(chosen.label() + "_l2w16");
    assertThat(SearchSpace.candidates(DeviceTraits.H200, what)).contains(window);
    assertThat(SearchSpace.candidates(V100, what))
        .allSatisfy(how -> assertThat(how.persistingMebibytes()).isZero());
    assertThat(new KernelVariant(what, window).where()).isEqualTo(PtxTarget.AMPERE_POLICIES);
    KernelSchedule throughRegisters = window.withStaging(StagingStrategy.SHARED_MEMORY);
    assertThat(ScheduleRules.reasonAgainst(what, throughRegisters).orElse(""))
        .contains("only asynchronous copies");
    assertThatThrownBy(() -> chosen.withPersisting(1025)).hasMessageContaining("use 0 to 1024");
  }

  @Test
  void everyStagingStrategyButAsynchronousOnesTakesNulls() {
    FlatStencil what = stencil(Reduction.MEAN, 17, ElementType.F32, Accuracy.EXACT, true);
    assertThat(SearchSpace.candidates(DeviceTraits.H200, what))
        .extracting(KernelSchedule::staging)
        .contains(
            StagingStrategy.DIRECT,
            StagingStrategy.REGISTER_CACHE_ROUND_ROBIN,
            StagingStrategy.REGISTER_CACHE_BLOCKED,
            StagingStrategy.SHARED_MEMORY)
        .doesNotContain(StagingStrategy.SHARED_MEMORY_ASYNC, StagingStrategy.SHARED_MEMORY_BULK);
  }

  @Test
  void coresThatExceedSharedMemoryOrRegistersAreLeftOut() {
    FlatStencil wide = stencil(Reduction.SUM, 9001, ElementType.I64, Accuracy.EXACT, false);
    assertThat(SearchSpace.candidates(DeviceTraits.H200, wide))
        .filteredOn(how -> how.form() == ReductionForm.SHARED_CORE)
        .allSatisfy(how -> assertThat(how.cellsPerThread()).isGreaterThan(8));
    DeviceTraits turing = new DeviceTraits(75, 65_536);
    FlatStencil less = stencil(Reduction.SUM, 7001, ElementType.I64, Accuracy.EXACT, false);
    long onTuring =
        SearchSpace.candidates(turing, less).stream()
            .filter(how -> how.form() == ReductionForm.SHARED_CORE)
            .count();
    long onVolta =
        SearchSpace.candidates(V100, less).stream()
            .filter(how -> how.form() == ReductionForm.SHARED_CORE)
            .count();
    assertThat(onTuring).isLessThan(onVolta);
  }

  @Test
  void theSearchStartsFromTheSelectorAndTriesOnlyWhatRuns() {
    for (int width : new int[] {1, 3, 17, 65, 129, 513, 5001}) {
      for (Reduction reduction : Reduction.values()) {
        FlatStencil what = stencil(reduction, width, ElementType.F32, Accuracy.FAST, false);
        List<KernelSchedule> candidates = SearchSpace.candidates(DeviceTraits.H200, what);
        assertThat(candidates.get(0)).isEqualTo(ScheduleSelector.select(DeviceTraits.H200, what));
        assertThat(candidates).doesNotHaveDuplicates();
        assertThat(candidates)
            .allSatisfy(how -> assertThat(ScheduleRules.reasonAgainst(what, how)).isEmpty());
      }
    }
  }

  @Test
  void entryNamesAreIdentifiersAndTellVariantsApart() {
    HashSet<String> names = new HashSet<>();
    HashSet<KernelVariant> variants = new HashSet<>();
    for (FlatStencil what : all()) {
      KernelVariant variant =
          new KernelVariant(what, ScheduleSelector.select(DeviceTraits.H200, what));
      assertThat(variant.entryName()).matches("[a-z][a-z0-9_]*");
      names.add(variant.entryName());
      variants.add(variant);
    }
    assertThat(names).hasSameSizeAs(variants);
  }

  @Test
  void meansOfIntegersReachNoKernel() {
    assertThatThrownBy(() -> stencil(Reduction.MEAN, 3, ElementType.I32, Accuracy.EXACT, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compute it in F64");
  }

  @Test
  void weightsAreInTheDigest() {
    FlatStencil one =
        new FlatStencil(
            Reduction.WEIGHTED_SUM, 2, Weights.of(1, 2), ElementType.F32, Accuracy.FAST, false, 0);
    FlatStencil other =
        new FlatStencil(
            Reduction.WEIGHTED_SUM, 2, Weights.of(2, 1), ElementType.F32, Accuracy.FAST, false, 0);
    KernelSchedule how = ScheduleSelector.select(DeviceTraits.H200, one);
    assertThat(new KernelVariant(one, how).entryName())
        .isNotEqualTo(new KernelVariant(other, how).entryName());
  }
}
