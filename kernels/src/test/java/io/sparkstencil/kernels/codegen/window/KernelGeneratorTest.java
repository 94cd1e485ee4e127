/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelCases;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelGeneratorTest {
  private static GeneratedKernel generate(FlatStencil what) {
    return KernelGenerator.generate(
        new KernelVariant(what, ScheduleSelector.select(DeviceTraits.H200, what)));
  }

  @Test
  void exactArithmeticIsNeverFusedNorFlushed() {
    for (ElementType type : new ElementType[] {ElementType.F32, ElementType.F64}) {
      String ptx =
          generate(KernelCases.of(Reduction.WEIGHTED_SUM, 9, type, Accuracy.EXACT, false, 0)).ptx();
      assertThat(ptx).contains("mul.rn.").contains("add.rn.").doesNotContain("fma.");
      for (Reduction reduction : Reduction.values()) {
        assertThat(generate(KernelCases.of(reduction, 17, type, Accuracy.EXACT, false, 0)).ptx())
            .doesNotContain(".ftz")
            .doesNotContain(".approx");
      }
    }
  }

  @Test
  void fastWeightsAreFusedImmediates() {
    String ptx =
        generate(
                KernelCases.of(Reduction.WEIGHTED_SUM, 9, ElementType.F32, Accuracy.FAST, false, 0))
            .ptx();
    assertThat(ptx).contains("fma.rn.f32").contains("0fC0400000"); // the weight -3
  }

  @Test
  void equalVariantsGiveEqualTexts() {
    FlatStencil what = KernelCases.of(Reduction.MIN, 65, ElementType.F64, Accuracy.EXACT, false, 1);
    assertThat(generate(what)).isEqualTo(generate(what));
  }

  @Test
  void codeOfALoopDoesNotGrowWithTheFrame() {
    int narrow =
        generate(KernelCases.of(Reduction.SUM, 1000, ElementType.F32, Accuracy.EXACT, false, 0))
            .ptx()
            .length();
    int wide =
        generate(
                KernelCases.of(
                    Reduction.SUM, 50_000_000, ElementType.F32, Accuracy.EXACT, false, 0))
            .ptx()
            .length();
    assertThat(wide).isLessThan(2 * narrow);
    String widest =
        generate(
                KernelCases.of(
                    Reduction.MIN, (1 << 27) + 1, ElementType.F64, Accuracy.EXACT, false, 0))
            .ptx();
    assertThat(widest.length()).isLessThan(100_000);
  }

  @Test
  void readOnlyWeightsAreHandedOutForUpload() {
    FlatStencil what =
        KernelCases.of(Reduction.WEIGHTED_SUM, 16_001, ElementType.F32, Accuracy.FAST, false, 1);
    GeneratedKernel kernel = generate(what);
    assertThat(kernel.parameters()).contains(KernelParameter.WEIGHTS);
    float[] weights = new float[kernel.weights().remaining() / Float.BYTES];
    kernel.weights().asFloatBuffer().get(weights);
    assertThat(weights[0]).isZero(); // the skew
    assertThat(weights[1]).isEqualTo(-3f);
    assertThat(weights.length % 4).isZero();
  }

  @Test
  void schedulesThatCannotRunTheStencilAreRefused() {
    FlatStencil what = KernelCases.of(Reduction.SUM, 17, ElementType.F32, Accuracy.EXACT, false, 0);
    KernelSchedule chosen = ScheduleSelector.select(DeviceTraits.H200, what);
    KernelSchedule regrouped =
        new KernelSchedule(
            chosen.staging(),
            64,
            12,
            16,
            CoefficientPlacement.IMMEDIATE,
            ReductionForm.SHARED_CORE,
            chosen.hints(),
            64,
            0);
    assertThatThrownBy(() -> KernelGenerator.generate(new KernelVariant(what, regrouped)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be reduced left to right");
  }

  @Test
  void sharedMemoryOfWhatIsSelectedFitsTheDevice() {
    DeviceTraits volta = new DeviceTraits(70, 96 << 10);
    DeviceTraits turing = new DeviceTraits(75, 64 << 10);
    DeviceTraits ada = new DeviceTraits(89, 99 << 10);
    for (DeviceTraits traits : List.of(volta, turing, ada, DeviceTraits.H200)) {
      for (int width : new int[] {513, 1500, 1792, 2500, 3000, 3584, 3585, 200_001}) {
        for (ElementType type : ElementType.values()) {
          for (boolean nulls : new boolean[] {false, true}) {
            FlatStencil what =
                KernelCases.of(Reduction.MIN, width, type, Accuracy.EXACT, nulls, nulls ? 1 : 0);
            KernelSchedule how = ScheduleSelector.select(traits, what);
            GeneratedKernel kernel = KernelGenerator.generate(new KernelVariant(what, how));
            assertThat(kernel.staticSharedBytes() + kernel.dynamicSharedBytes())
                .as("%s on sm_%d", kernel.entryName(), traits.computeCapability())
                .isLessThanOrEqualTo(traits.sharedBytesPerBlock());
          }
        }
      }
    }
  }

  @Test
  void edgesAreCorrectedOnlyWhereFramesAreCut() {
    StencilSpec mean = new StencilSpec(Stencil.mean(Frame.radius(2)), ElementType.F32);
    StencilSpec sum = new StencilSpec(Stencil.sum(Frame.radius(2)), ElementType.F32);
    StencilSpec weighted =
        new StencilSpec(Stencil.weighted(Frame.radius(1), 1, 2, 1), ElementType.F32);
    StencilSpec reflected =
        new StencilSpec(
            Stencil.mean(Frame.radius(2)).withBoundary(Boundary.REFLECT), ElementType.F32);
    StencilSpec valid =
        new StencilSpec(
            Stencil.mean(Frame.radius(2)).withBoundary(Boundary.VALID), ElementType.F32);
    assertThat(EdgeVariant.of(mean, false))
        .map(EdgeVariant::task)
        .contains(EdgeVariant.Task.VALUES);
    assertThat(EdgeVariant.of(mean, true)).isEmpty();
    assertThat(EdgeVariant.of(sum, false)).isEmpty();
    assertThat(EdgeVariant.of(weighted, false)).isEmpty();
    assertThat(EdgeVariant.of(weighted, true))
        .map(EdgeVariant::task)
        .contains(EdgeVariant.Task.WEIGHTED_VALIDITY);
    assertThat(EdgeVariant.of(reflected, false)).isEmpty();
    assertThat(EdgeVariant.of(valid, true))
        .map(EdgeVariant::task)
        .contains(EdgeVariant.Task.CLIPPED_IS_NULL);
  }
}
