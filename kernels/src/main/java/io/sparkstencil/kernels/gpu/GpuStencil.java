/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.StencilSpec;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A stencil on one device: which variant is its kernel for plain batches, for those with nulls, and
 * for those with other halos. Has no kernels itself; lanes hold those that they launch.
 */
final class GpuStencil implements CompiledStencil {
  private static final System.Logger LOG = System.getLogger(GpuStencil.class.getName());

  private final StencilSpec spec;
  private final KernelSource source;
  private final ConcurrentMap<FlatStencil, KernelVariant> chosen = new ConcurrentHashMap<>();
  private final FlatStencil usual;

  /** Chooses and loads the kernel for plain batches. */
  GpuStencil(StencilSpec spec, KernelSource source, HeldKernels kernels) {
    this.spec = spec;
    this.source = source;
    // Alone in a batch, a stencil has this shift.
    int shift = spec.frame().left() - spec.frame().preceding();
    this.usual = FlatStencil.of(spec, shift, false);
    bulk(kernels, shift, false);
  }

  @Override
  public StencilSpec spec() {
    return spec;
  }

  @Override
  public String description() {
    return chosen.get(usual).entryName();
  }

  /** Returns the kernel for all positions of a batch. */
  LoadedKernel bulk(HeldKernels kernels, int shift, boolean nullable) {
    FlatStencil what = FlatStencil.of(spec, shift, nullable);
    KernelVariant known = chosen.get(what);
    return known != null ? kernels.get(known) : loadFirstThatCompiles(kernels, what);
  }

  private LoadedKernel loadFirstThatCompiles(HeldKernels kernels, FlatStencil what) {
    KernelCompilationException refused = null;
    for (KernelVariant variant : source.candidates(what)) {
      try {
        LoadedKernel loaded = kernels.get(variant);
        chosen.put(what, variant);
        return loaded;
      } catch (KernelCompilationException e) {
        LOG.log(System.Logger.Level.WARNING, "trying the next variant: {0}", e.getMessage());
        if (refused != null) {
          e.addSuppressed(refused);
        }
        refused = e;
      }
    }
    throw refused != null
        ? refused
        : new KernelCompilationException("there is no variant for " + what.label());
  }

  @Override
  public String toString() {
    return description();
  }
}
