/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.plan.FusedPlan;
import io.sparkstencil.kernels.program.plan.FusedPlans;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.generate.Equations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps are divided evenly among few passes. */
final class PassChoiceTest {
  private static final int STEPS_OF_PLANES = 5;

  private final FakeGpu gpu = new FakeGpu();

  private static List<FusedPlan> plans(List<Integer> sizes) {
    ProgramTraits traits =
        ProgramTraits.of(Equations.heat(sizes.size(), 2, 1, 1, 0.1).withBoundary(Boundary.REFLECT));
    Stages stages = new Stages(traits, ElementType.F32, sizes, Set.of());
    FieldLayout layout = FieldLayout.ofSizes(ElementType.F32, sizes);
    List<FusedKernel> kernels =
        FusedSource.ESTIMATED
            .kernels(traits, ElementType.F32, layout.forKernels(sizes.size()), DeviceTraits.H200)
            .estimated();
    return new FusedPlans(stages, Set.of(), layout, Long.MAX_VALUE).of(kernels, true);
  }

  /** Returns the steps of one pass after the other. */
  private List<Integer> passes(List<FusedPlan> plans, int steps) {
    gpu.emulate();
    List<Integer> passes = new ArrayList<>();
    try (GpuPrograms engine = ProgramChecks.open(gpu.driver(), Map.of(), FusedSource.ESTIMATED);
        var held = engine.device().hold()) {
      PassChoice choice = new PassChoice("digest", ElementType.F32, plans, held);
      for (int left = steps; left > 0; left -= passes.get(passes.size() - 1)) {
        passes.add(choice.next(left).map(PassChoice.Loaded::steps).orElse(1));
      }
    }
    return passes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 13, 14, 15, 29, 48, 100})
  void thereAreAsFewPassesAsPossible(int steps) {
    List<FusedPlan> plans = plans(List.of(4096, 4096));
    int most = plans.get(0).steps();
    List<Integer> passes = passes(plans, steps);
    assertThat(passes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(steps);
    assertThat(passes).hasSize((steps + most - 1) / most);
  }

  @Test
  void passesHaveAboutAsManySteps() {
    List<FusedPlan> plans = plans(List.of(520, 520, 1024));
    int most = plans.get(0).steps();
    assertThat(plans).extracting(FusedPlan::steps).contains(most, most - 1, most - 2);
    assertThat(passes(plans, 2 * most - 2)).containsExactly(most - 1, most - 1);
    assertThat(passes(plans, 2 * most)).containsExactly(most, most);
    assertThat(passes(plans, 3 * most - 2)).containsExactly(most, most - 1, most - 1);
  }

  @Test
  void numbersOfStepsWithoutAKernelAreMadeUpFromOthers() {
    List<FusedPlan> all = plans(List.of(520, 520, 1024));
    assertThat(all.get(0).steps()).isEqualTo(STEPS_OF_PLANES);
    List<FusedPlan> plans =
        all.stream().filter(plan -> plan.steps() != 4 && plan.steps() > 1).toList();
    assertThat(passes(plans, 9)).containsExactly(3, 3, 3);
    assertThat(passes(plans, 8)).containsExactly(5, 3);
    assertThat(passes(plans, 4)).containsExactly(2, 2);
    assertThat(passes(plans, 1)).containsExactly(1);
    assertThat(passes(List.of(), 3)).containsExactly(1, 1, 1);
  }
}
