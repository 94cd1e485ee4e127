/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/** Where the weights of a weighted sum are. */
public enum CoefficientPlacement {
  /** In the instructions; also what reductions without weights have. */
  IMMEDIATE("imm"),
  /** In the constant bank of the module, at most 48 KiB. */
  CONSTANT("const"),
  /** In global memory, read by {@code ld.global.nc}; passed as an argument, of any size. */
  READ_ONLY("ro");

  private final String label;

  CoefficientPlacement(String label) {
    this.label = label;
  }

  /** Returns the short name that entry names use. */
  public String label() {
    return label;
  }
}
