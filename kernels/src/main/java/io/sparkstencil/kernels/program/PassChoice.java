/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.program.plan.FusedPlan;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which passes a run of steps takes. Kernels are compiled when their first steps come. */
final class PassChoice {
  private static final System.Logger LOG = System.getLogger(PassChoice.class.getName());

  private final String digest;
  private final ElementType type;
  private final HeldKernels held;
  private final List<FusedPlan> plans;

  /** A plan and its kernel on the device. */
  record Loaded(FusedPlan plan, LoadedKernel kernel) {
    int steps() {
      return plan.steps();
    }
  }

  /**
   * Creates the choice.
   *
   * @param digest that of the program
   * @param plans the plans that may be taken, the fastest first
   * @param held keeps kernels loaded
   */
  PassChoice(String digest, ElementType type, List<FusedPlan> plans, HeldKernels held) {
    this.digest = digest;
    this.type = type;
    this.plans = new ArrayList<>(plans);
    this.held = held;
  }

  private Optional<Loaded> load(FusedPlan plan) {
    FusedKernel kernel = plan.kernel();
    String part = "fused " + kernel;
    try {
      LoadedKernel loaded = held.get(new ProgramKernelKey(digest, type, part, kernel::generate));
      if (loaded.function().localBytes() == 0) {
        return Optional.of(new Loaded(plan, loaded));
      }
      LOG.log(System.Logger.Level.DEBUG, "kernel {0} spills registers", part);
    } catch (KernelCompilationException e) {
      LOG.log(System.Logger.Level.WARNING, "without one kernel: {0}", e.getMessage());
    }
    return Optional.empty();
  }

  /** Returns the plans that may be taken. */
  List<FusedPlan> plans() {
    return List.copyOf(plans);
  }

  /** Returns the plan for the next steps, with its kernels, or empty for a single step. */
  Optional<Loaded> next(long stepsLeft) {
    for (FusedPlan plan : plans()) {
      if (plan.steps() <= stepsLeft) {
        Optional<Loaded> loaded = load(plan);
        if (loaded.isPresent()) {
          return loaded;
        }
        plans.remove(plan);
      }
    }
    return Optional.empty();
  }
}
