/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/** The kinds of registers. Integer registers are typed by width; opcodes say how to read them. */
public enum PtxType {
  /** A truth value. */
  PREDICATE("pred", "p", 0),
  /** 32 bits: integers, addresses in shared memory. */
  B32("b32", "r", 4),
  /** 64 bits: integers, global addresses. */
  B64("b64", "rd", 8),
  /** IEEE binary32. */
  F32("f32", "f", 4),
  /** IEEE binary64. */
  F64("f64", "fd", 8);

  private final String declaration;
  private final String prefix;
  private final int bytes;

  PtxType(String declaration, String prefix, int bytes) {
    this.declaration = declaration;
    this.prefix = prefix;
    this.bytes = bytes;
  }

  /** Returns the type in a {@code .reg} declaration, which is also that of untyped loads. */
  public String declaration() {
    return declaration;
  }

  /** Returns what register names start with, after the percent sign. */
  public String prefix() {
    return prefix;
  }

  /** Returns the bytes of a register in memory; 0 for a predicate. */
  public int bytes() {
    return bytes;
  }
}
