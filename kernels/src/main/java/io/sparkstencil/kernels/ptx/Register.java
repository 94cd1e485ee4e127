/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/**
 * A virtual register.
 *
 * @param type its kind
 * @param index its number among those of its kind
 */
public record Register(PtxType type, int index) implements Operand {
  @Override
  public String text() {
    return "%" + type.prefix() + index;
  }
}
