/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;

/** Where kernels of several steps come from. */
@FunctionalInterface
interface FusedSource {
  /** Returns kernels that suit a program on a device, the fastest first; none if none does. */
  List<FusedKernel> candidates(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device);

  /** Tells whether to take steps at once even where single steps are estimated to be faster. */
  default boolean always() {
    return false;
  }
}
