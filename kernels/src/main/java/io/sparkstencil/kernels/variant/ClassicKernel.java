/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import java.util.Locale;

/**
 * The textbook kernels, one cell per thread, as points of the design space: baselines. Unlike many
 * of their listings they let every thread reach each barrier and shuffle.
 */
public enum ClassicKernel {
  /** A block loads its cells and the halo into shared memory, then each thread sums its frame. */
  SHARED_MEMORY(StagingStrategy.SHARED_MEMORY),
  /**
   * A warp's registers as a cache, cell i in lane i mod 32, one shuffle per tap.
   *
   * @see <a href="https://developer.nvidia.com/blog/register-cache-warp-cuda/">Register cache</a>
   */
  REGISTER_CACHE(StagingStrategy.REGISTER_CACHE_ROUND_ROBIN);

  private final StagingStrategy staging;

  ClassicKernel(StagingStrategy staging) {
    this.staging = staging;
  }

  /** Returns the name that users and results know it by: {@code classic-shared-memory}. */
  public String label() {
    return "classic-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the kernel's schedule; blocks of 256 threads are faster than those of 1024. */
  public KernelSchedule schedule(FlatStencil what) {
    int registers = what.nullable() ? 160 : 96;
    return KernelSchedule.plain(staging, 256, 1, what.type().bytes(), registers);
  }
}
