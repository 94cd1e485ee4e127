/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The kernels that one user of a {@link KernelCache} launches, such as a lane: none of them is
 * unloaded before this is closed, which the user does when its launches have ended. Used by one
 * thread at a time.
 */
public final class HeldKernels implements AutoCloseable {
  private final KernelCache cache;
  private final Function<KernelKey, GeneratedKernel> generate;
  private final Map<KernelKey, LoadedKernel> held = new HashMap<>();

  HeldKernels(KernelCache cache, Function<KernelKey, GeneratedKernel> generate) {
    this.cache = cache;
    this.generate = generate;
  }

  /**
   * Returns a kernel, loaded first if need be.
   *
   * @throws io.sparkstencil.error.KernelCompilationException if the driver refuses it
   */
  public LoadedKernel get(KernelKey key) {
    LoadedKernel known = held.get(key);
    if (known == null) {
      known = cache.get(key, () -> generate.apply(key));
      held.put(key, known);
    }
    return known;
  }

  @Override
  public void close() {
    cache.release(held.keySet());
    held.clear();
  }
}
