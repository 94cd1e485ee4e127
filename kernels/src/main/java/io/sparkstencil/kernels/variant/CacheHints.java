/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/** What loads and stores tell the caches. */
public enum CacheHints {
  /** Nothing. */
  NONE("plain", "", ""),
  /** Stored values are not read again soon ({@code st.global.cs}). */
  STREAM_STORES("cs", "", ".cs"),
  /** Neither loaded nor stored values are used again soon, halos excepted by the L2 cache. */
  STREAM_BOTH("cscs", ".cs", ".cs");

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

  /** Returns the modifier of global loads, with its dot, or an empty text. */
  public String load() {
    return load;
  }

  /** Returns the modifier of global stores, with its dot, or an empty text. */
  public String store() {
    return store;
  }
}
