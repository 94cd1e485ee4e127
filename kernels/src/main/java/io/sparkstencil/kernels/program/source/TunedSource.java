/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.source;

import io.sparkstencil.error.ShownText;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.tuning.TunedFields;
import io.sparkstencil.kernels.tuning.TunedKernel;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Optional;

/**
 * Puts the kernel first that was measured to be the fastest. The estimated ones follow, for the
 * steps that it leaves, and in case a driver refuses it.
 */
public final class TunedSource implements FusedSource {
  private static final System.Logger LOG = System.getLogger(TunedSource.class.getName());

  private final TuningStore store;

  /** Looks for measurements in a store. */
  public TunedSource(TuningStore store) {
    this.store = store;
  }

  @Override
  public Kernels kernels(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    Kernels estimated = ESTIMATED.kernels(traits, type, layout, device);
    Optional<TunedKernel> found =
        store.find(new TunedFields(traits.program().digest(), type, layout.sizes()));
    if (found.isEmpty()) {
      return estimated;
    }
    String name = found.get().kernel();
    if (name.equals(TunedKernel.SINGLE_STEPS)) {
      return new Kernels(found, List.of(), List.of());
    }
    List<FusedKernel> named =
        FusedKernels.fastestFirst(traits, type, layout, device).stream()
            .filter(kernel -> kernel.toString().equals(name))
            .toList();
    if (named.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the measured kernel \"%s\" in %s is none of this version; tune the program again"
              .formatted(ShownText.of(name), store.file()));
      return estimated;
    }
    List<FusedKernel> others =
        estimated.estimated().stream().filter(kernel -> !kernel.toString().equals(name)).toList();
    return new Kernels(found, named, others);
  }
}
