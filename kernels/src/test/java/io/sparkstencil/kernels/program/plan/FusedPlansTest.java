/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Steps are taken at once where that pays. */
final class FusedPlansTest {
  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)");
  private static final StencilProgram WAVE =
      ProgramText.parse("p' = u[0,0,0]; u' = 2*u - p + 0.01*laplacian(u, 8)");

  private static List<Integer> steps(StencilProgram program, long memory, Integer... sizes) {
    return plans(program, memory, sizes).stream().map(FusedPlan::steps).toList();
  }

  private static List<FusedPlan> plans(StencilProgram program, long memory, Integer... sizes) {
    ProgramTraits traits = ProgramTraits.of(program);
    Stages stages = new Stages(traits, ElementType.F32, List.of(sizes), Set.of());
    FieldLayout layout = FieldLayout.ofSizes(ElementType.F32, List.of(sizes));
    List<FusedKernel> kernels =
        FusedKernels.candidates(
            traits, ElementType.F32, layout.forKernels(sizes.length), DeviceTraits.H200);
    Set<Integer> renamed = Versions.renamed(traits).keySet();
    return new FusedPlans(stages, renamed, layout, DeviceTraits.H200, memory).of(kernels, false);
  }

  @Test
  void smallFieldsTakeStepsOneByOne() {
    assertThat(steps(HEAT, 1L << 40, 200, 200)).isEmpty();
    assertThat(steps(HEAT, 1L << 40, 512, 512)).isEmpty();
  }

  @Test
  void largeFieldsTakeManyAtOnceAndThenFewer() {
    List<Integer> steps = steps(HEAT, 1L << 40, 8192, 8192);
    assertThat(steps.get(0)).isGreaterThan(4);
    assertThat(steps).isSortedAccordingTo((a, b) -> b - a);
  }

  @Test
  void edgesComeBeforeSlabsAndLeaveThemTheAxesThatWrap() {
    List<FusedPlan> plans = plans(HEAT, 1L << 40, 8192, 8191);
    assertThat(plans.get(0).edges()).hasSize(1);
    assertThat(plans.get(0).slabs()).isEmpty();
    assertThat(plans.get(1).edges()).isEmpty();
    assertThat(plans.get(1).slabs()).hasSize(4);
    assertThat(plans.get(1).kernel()).isSameAs(plans.get(0).kernel());
    FusedPlan wrapped = plans(BoundaryText.apply(HEAT, "x=wrap"), 1L << 40, 8192, 8191).get(0);
    assertThat(wrapped.edges()).hasSize(1);
    assertThat(wrapped.slabs()).hasSize(2);
    assertThat(plans(HEAT.withBoundary(Boundary.WRAP), 1L << 40, 8192, 8191))
        .isNotEmpty()
        .allMatch(plan -> plan.edges().isEmpty());
  }

  @Test
  void aKernelOfOneStepIsTakenWhereCellsAreReadOftenOtherwise() {
    assertThat(steps(WAVE, 1L << 40, 512, 512, 512)).contains(1);
  }

  @Test
  void nothingIsTakenThatDoesNotFitOrCannotBeCut() {
    assertThat(steps(HEAT, 2L * 4 * 8192 * 8192, 8192, 8192)).isEmpty();
    StencilProgram mixed =
        ProgramText.parse("u' = u[1,0] + 0.1*v; v' = v[0,1] - u")
            .withBoundary("u", FieldBoundary.uniform(Boundary.WRAP, 2));
    assertThat(steps(mixed, 1L << 40, 8192, 8192)).isEmpty();
  }
}
