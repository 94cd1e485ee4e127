/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/** What loads and stores tell the caches. */
public enum CacheHints {
  /** Nothing. */
  NONE("plain", ".nc", ""),
  /** Stored values are not read again soon ({@code st.global.cs}). */
  STREAM_STORES("cs", ".nc", ".cs"),
  /** Neither loaded nor stored values are used again soon. */
  STREAM_BOTH("cscs", ".cs.nc", ".cs"),
  /** Loads leave the L1 cache alone; blocks share their halos through the L2 cache. */
  SKIP_L1("cg", ".cg", "");

  private final String label;
  private final String load;
  private final String store;

  CacheHints(String label, String load, String store) {
    this.label = label;
    this.load = load;
    this.store = store;
  }

  /** Returns the short name that entry names use. */
  public String label() {
    return label;
  }

  /** Returns the modifiers of global loads of cells, each with its dot. */
  public String load() {
    return load;
  }

  /** Returns the modifier of global stores, with its dot, or an empty text. */
  public String store() {
    return store;
  }
}
