/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.source;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.tuning.TunedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Optional;

/** Where kernels of several steps come from. */
@FunctionalInterface
public interface FusedSource {
  /** The kernels that are estimated to be the fastest. */
  FusedSource ESTIMATED =
      (traits, type, layout, device) ->
          new Kernels(
              Optional.empty(), List.of(), FusedKernels.candidates(traits, type, layout, device));

  /**
   * Kernels that suit a program on a device, each list with the fastest first.
   *
   * @param tuned what was measured and stored, if that decided
   * @param measured those that are taken even where single steps are estimated to be faster; they
   *     come first
   * @param estimated those that are taken where they are estimated to pay
   */
  record Kernels(
      Optional<TunedKernel> tuned, List<FusedKernel> measured, List<FusedKernel> estimated) {
    /** Every step is taken by itself. */
    public static final Kernels NONE = new Kernels(Optional.empty(), List.of(), List.of());

    /** Copies the lists. */
    public Kernels {
      measured = List.copyOf(measured);
      estimated = List.copyOf(estimated);
    }

    /** Returns one kernel, which is taken wherever it can be. */
    public static Kernels only(FusedKernel kernel) {
      return new Kernels(Optional.empty(), List.of(kernel), List.of());
    }
  }

  /** Returns the kernels for a program on a device. */
  Kernels kernels(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device);
}
