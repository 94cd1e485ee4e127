/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/**
 * A place in memory.
 *
 * @param base register or symbol
 * @param offset bytes to add
 */
public record Address(Operand base, int offset) implements Operand {
  /** Returns the place {@code offset} bytes after what {@code base} holds. */
  public static Address at(Operand base, int offset) {
    return new Address(base, offset);
  }

  @Override
  public String text() {
    return "[" + base.text() + (offset == 0 ? "" : "+" + offset) + "]";
  }
}
