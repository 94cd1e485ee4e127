/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.StencilSpec;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A stencil on one device: its kernel for plain batches, and those for batches with nulls, with
 * other halos and for edges, each loaded when first needed.
 */
final class GpuStencil implements CompiledStencil {
  private static final System.Logger LOG = System.getLogger(GpuStencil.class.getName());

  /**
   * A kernel that corrects edges.
   *
   * @param variant what it is made from, which also knows its grid
   * @param kernel the kernel, owned by the cache
   */
  record Edges(EdgeVariant variant, LoadedKernel kernel) {}

  /** What a kernel that converts validity is made from. */
  private record ValidityKey(ValidityKernel.Task task) {}

  private final StencilSpec spec;
  private final KernelSource source;
  private final KernelCache cache;
  private final ConcurrentMap<FlatStencil, LoadedKernel> bulk = new ConcurrentHashMap<>();
  private final LoadedKernel usual;

  GpuStencil(StencilSpec spec, KernelSource source, KernelCache cache) {
    this.spec = spec;
    this.source = source;
    this.cache = cache;
    // Alone in a batch, a stencil has this shift.
    this.usual = bulk(spec.frame().left() - spec.frame().preceding(), false);
  }

  @Override
  public StencilSpec spec() {
    return spec;
  }

  @Override
  public String description() {
    return usual.generated().entryName();
  }

  /** Returns the kernel for all positions of a batch. */
  LoadedKernel bulk(int shift, boolean nullable) {
    FlatStencil what = FlatStencil.of(spec, shift, nullable);
    LoadedKernel known = bulk.get(what);
    if (known == null) {
      known = loadFirstThatCompiles(what);
      bulk.put(what, known);
    }
    return known;
  }

  private LoadedKernel loadFirstThatCompiles(FlatStencil what) {
    KernelCompilationException refused = null;
    for (KernelVariant variant : source.candidates(what)) {
      try {
        return cache.get(variant, () -> source.generate(variant));
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

  /** Returns the kernel that runs after the one for all positions, where there is need of one. */
  Optional<Edges> edges(boolean nullable) {
    return EdgeVariant.of(spec, nullable)
        .map(variant -> new Edges(variant, cache.get(variant, () -> source.edges(variant))));
  }

  /** Returns a kernel that moves cells of pieces. */
  LoadedKernel pieces(PieceKernel.Task task) {
    return cache.get((Record) task, () -> source.pieces(task));
  }

  /** Returns a kernel that converts validity. */
  LoadedKernel validity(ValidityKernel.Task task) {
    return cache.get(new ValidityKey(task), () -> source.validity(task));
  }

  @Override
  public String toString() {
    return description();
  }
}
