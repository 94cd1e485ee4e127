/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/** Where a kernel keeps the cells that neighbouring outputs share. */
public enum StagingStrategy {
  /** Nowhere: every tap is a global load; the L1 cache catches what is shared. */
  DIRECT("direct"),
  /** In the registers of a warp, cell i in lane i mod 32; neighbours by {@code shfl.sync}. */
  REGISTER_CACHE_ROUND_ROBIN("regrr"),
  /** In the registers of a warp, each lane owning consecutive cells; 16-byte loads. */
  REGISTER_CACHE_BLOCKED("regblk"),
  /** In a tile of shared memory per block. */
  SHARED_MEMORY("smem"),
  /** The same tile, filled by {@code cp.async} without passing through registers; sm_80 on. */
  SHARED_MEMORY_ASYNC("smemasync"),
  /** The same tile, filled by the bulk copy engine in one copy per block; sm_90 on. */
  SHARED_MEMORY_BULK("smembulk");

  private final String label;

  StagingStrategy(String label) {
    this.label = label;
  }

  /** Returns the short name that entry names use. */
  public String label() {
    return label;
  }

  /** Tells whether blocks keep a tile in shared memory. */
  public boolean usesTile() {
    return this == SHARED_MEMORY || fillsAsynchronously();
  }

  /** Tells whether tiles are filled without cells passing through registers. */
  public boolean fillsAsynchronously() {
    return this == SHARED_MEMORY_ASYNC || this == SHARED_MEMORY_BULK;
  }
}
