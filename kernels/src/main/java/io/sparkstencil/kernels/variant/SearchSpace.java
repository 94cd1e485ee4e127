/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The schedules that tuning may try for a stencil. */
public final class SearchSpace {
  private static final int[] THREADS = {64, 96, 128, 192, 256};
  private static final int MAX_WITHOUT_TILE = 65;
  private static final int[] UNITS = {1, 3, 5, 7};

  /** A window that fits the second-level cache of any device since Ampere's largest. */
  private static final int WINDOW_MEBIBYTES = 16;

  private SearchSpace() {}

  /** Returns the candidates, the selector's choice first; all can run the stencil. */
  public static List<KernelSchedule> candidates(DeviceTraits traits, FlatStencil what) {
    KernelSchedule chosen = ScheduleSelector.select(traits, what);
    Set<KernelSchedule> candidates = new LinkedHashSet<>();
    candidates.add(chosen);
    if (chosen.staging().usesTile()) {
      addTiles(traits, what, candidates);
      addOthers(what, candidates);
    }
    if (traits.computeCapability() >= 80) {
      candidates.add(chosen.withPersisting(WINDOW_MEBIBYTES));
    }
    candidates.removeIf(
        how ->
            ScheduleRules.reasonAgainst(what, how)
                .or(() -> ScheduleRules.reasonAgainst(traits, what, how))
                .isPresent());
    return new ArrayList<>(candidates);
  }

  private static void addTiles(
      DeviceTraits traits, FlatStencil what, Set<KernelSchedule> candidates) {
    traits.matrices().forEach(shape -> addTensorCores(shape, what, candidates));
    for (ReductionForm form : ReductionForm.values()) {
      if (form.matrices().isPresent()) {
        continue;
      }
      boolean loops = form == ReductionForm.SEQUENTIAL_LOOP || form == ReductionForm.BLOCK_CORE;
      for (int threads : loops ? new int[] {128, 256} : THREADS) {
        for (int units : UNITS) {
          KernelSchedule how = ScheduleSelector.tile(traits, what, threads, units, form);
          candidates.add(how);
          if (threads == 64 || threads == 128) {
            candidates.add(how.withHints(CacheHints.STREAM_STORES));
            if (traits.computeCapability() >= 90 && !what.nullable()) {
              candidates.add(how.withStaging(StagingStrategy.SHARED_MEMORY_BULK));
            }
          }
          if (how.coefficients() == CoefficientPlacement.CONSTANT) {
            candidates.add(how.withCoefficients(CoefficientPlacement.READ_ONLY));
          }
        }
      }
    }
  }

  private static void addTensorCores(
      MatrixShape shape, FlatStencil what, Set<KernelSchedule> candidates) {
    for (int threads : new int[] {64, 128, 256}) {
      for (int cells : new int[] {8, 16, 32}) {
        candidates.add(ScheduleSelector.tensorCore(shape, what, threads, cells));
      }
    }
  }

  private static void addOthers(FlatStencil what, Set<KernelSchedule> candidates) {
    for (ClassicKernel classic : ClassicKernel.values()) {
      candidates.add(classic.schedule(what));
    }
    if (what.width() > MAX_WITHOUT_TILE) {
      return; // slower by far, and short of registers
    }
    int unit = what.cellsPerVector();
    for (int cells : new int[] {unit, 2 * unit, 4 * unit}) {
      candidates.add(without(StagingStrategy.REGISTER_CACHE_BLOCKED, cells, 16));
    }
    int most = what.type() == ElementType.F32 ? 8 : what.type().bytes() == 4 ? 4 : 2;
    most = what.nullable() ? most / 2 : most;
    for (int cells = 2; cells <= most; cells *= 2) {
      candidates.add(
          without(StagingStrategy.REGISTER_CACHE_ROUND_ROBIN, cells, what.type().bytes()));
    }
    candidates.add(without(StagingStrategy.DIRECT, 1, what.type().bytes()));
    candidates.add(without(StagingStrategy.DIRECT, unit, 16));
  }

  private static KernelSchedule without(StagingStrategy staging, int cells, int vectorBytes) {
    return KernelSchedule.plain(staging, 128, cells, vectorBytes, KernelSchedule.MAX_REGISTERS);
  }
}
