/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

/** Quotients that are rounded up. */
public final class Ceiling {
  private Ceiling() {}

  /** Returns how many parts hold the whole, of which the last one may be smaller. */
  public static int of(long whole, int part) {
    return (int) ((whole + part - 1) / part);
  }
}
