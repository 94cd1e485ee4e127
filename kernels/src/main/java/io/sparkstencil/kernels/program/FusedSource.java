/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;

/** Where kernels of several steps come from. */
@FunctionalInterface
interface FusedSource {
  /** The kernels that are estimated to be the fastest. */
  FusedSource ESTIMATED =
      (traits, type, layout, device) ->
          new Kernels(List.of(), FusedKernels.candidates(traits, type, layout, device));

  /**
   * Kernels that suit a program on a device, each list with the fastest first.
   *
   * @param measured those that are taken even where single steps are estimated to be faster; they
   *     come first
   * @param estimated those that are taken where they are estimated to pay
   */
  record Kernels(List<FusedKernel> measured, List<FusedKernel> estimated) {
    /** Every step is taken by itself. */
    static final Kernels NONE = new Kernels(List.of(), List.of());

    /** Copies the lists. */
    public Kernels {
      measured = List.copyOf(measured);
      estimated = List.copyOf(estimated);
    }
  }

  /** Returns the kernels for a program on a device. */
  Kernels kernels(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device);
}
