/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/** What an instruction is written with. */
public sealed interface Operand permits Register, Literal, Address, RegisterVector, Symbol {
  /** Returns the operand as PTX spells it. */
  String text();
}
