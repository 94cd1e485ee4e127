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
    return new FusedPlans(stages, renamed, layout, memory).of(kernels, false);
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
  void slabsAreLeftTheAxesAlongWhichAKernelDoesNotHoldTheBoundary() {
    assertThat(plans(HEAT, 1L << 40, 8192, 8191).get(0).slabs()).hasSize(2);
    StencilProgram wrapped = HEAT.withBoundary(Boundary.WRAP);
    assertThat(plans(wrapped, 1L << 40, 8192, 8191).get(0).slabs()).hasSize(4);
    StencilProgram alongRows = BoundaryText.apply(HEAT, "y=wrap");
    assertThat(plans(alongRows, 1L << 40, 8192, 8191).get(0).slabs()).hasSize(4);
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
