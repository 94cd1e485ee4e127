/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Chooses the kernels of several steps that are worth their slabs and launches. */
public final class FusedPlans {
  private final Stages stages;
  private final Set<Integer> renamed;
  private final FieldLayout layout;
  private final long memoryBytes;

  /**
   * Prepares the choice.
   *
   * @param renamed the fields that a single step renames
   * @param layout how whole fields lie in memory
   * @param memoryBytes the most device memory that the program may take
   */
  public FusedPlans(Stages stages, Set<Integer> renamed, FieldLayout layout, long memoryBytes) {
    this.stages = stages;
    this.renamed = Set.copyOf(renamed);
    this.layout = layout;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Returns the plans that may be taken, in the order of the kernels.
   *
   * @param kernels kernels that suit the program, the fastest first
   * @param always whether to take them even where single steps are estimated to be faster
   */
  public List<FusedPlan> of(List<FusedKernel> kernels, boolean always) {
    for (int axis = 0; axis < stages.dimensions(); axis++) {
      if (SlabGeometry.wraps(stages.traits(), axis) == SlabGeometry.Wrapping.SOME) {
        return List.of(); // a slab at one end would need cells of the other for some fields only
      }
    }
    PassCosts costs = new PassCosts(stages);
    List<FusedPlan> plans = new ArrayList<>();
    for (FusedKernel kernel : kernels) {
      double singles = always ? Double.POSITIVE_INFINITY : kernel.steps() * costs.singleSeconds();
      Optional<Span> inside = kernel.results(layout.forKernels(stages.dimensions()));
      if (inside.isPresent() && updatesAll(kernel) && costs.launchSeconds(kernel) < singles) {
        FusedPlan plan = FusedPlan.of(stages, kernel, inside.get());
        if (fits(plan) && costs.seconds(plan) < singles) {
          plans.add(plan);
        }
      }
    }
    return plans;
  }

  private boolean fits(FusedPlan plan) {
    long arrays = (long) stages.traits().program().fields().size() + stages.updated();
    return arrays * layout.bytes() + plan.scratchBytes(stages) <= memoryBytes;
  }

  /** Tells whether a kernel writes all fields but those that a single step renames. */
  private boolean updatesAll(FusedKernel kernel) {
    return IntStream.range(0, stages.updated())
        .filter(field -> kernel.steps() > 1 || !renamed.contains(field))
        .allMatch(field -> kernel.outputs().contains(field));
  }
}
