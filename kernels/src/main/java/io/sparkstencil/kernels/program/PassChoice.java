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

  /** More than the squares of steps that a division is decided by. */
  private static final long PASS = 1 << 20;

  private final String digest;
  private final ElementType type;
  private final HeldKernels held;
  private final List<FusedPlan> plans;
  private List<FusedPlan> firsts;

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
    firsts = firsts(plans);
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

  /**
   * Returns the plan for the next steps, with its kernel, or empty for a single step. What is left
   * is divided into as few passes as possible, and evenly: a pass of a few steps takes almost as
   * long as one of many.
   */
  Optional<Loaded> next(long stepsLeft) {
    while (!plans.isEmpty()) {
      FusedPlan plan = stepsLeft < firsts.size() ? firsts.get((int) stepsLeft) : plans.get(0);
      if (plan == null) {
        return Optional.empty();
      }
      Optional<Loaded> loaded = load(plan);
      if (loaded.isPresent()) {
        return loaded;
      }
      plans.remove(plan);
      firsts = firsts(plans);
    }
    return Optional.empty();
  }

  /**
   * Returns the plan of the first pass for each number of steps that is less than twice those of
   * the fastest plan; null for a step by itself.
   */
  private static List<FusedPlan> firsts(List<FusedPlan> plans) {
    int end = plans.isEmpty() ? 0 : 2 * plans.get(0).steps();
    List<FusedPlan> firsts = new ArrayList<>();
    long[] costs = new long[end];
    for (int steps = 0; steps < end; steps++) {
      FusedPlan first = null;
      costs[steps] = steps == 0 ? 0 : costs[steps - 1] + cost(1);
      for (FusedPlan plan : plans) {
        // the first of several plans with as many steps is the fastest
        if (plan.steps() <= steps) {
          long cost = cost(plan.steps()) + costs[steps - plan.steps()];
          if (cost < costs[steps] || (first == null && cost == costs[steps])) {
            costs[steps] = cost;
            first = plan;
          }
        }
      }
      firsts.add(first);
    }
    return firsts;
  }

  /** Returns what decides: the number of passes, and then how evenly steps are divided. */
  private static long cost(int steps) {
    return PASS + (long) steps * steps;
  }
}
