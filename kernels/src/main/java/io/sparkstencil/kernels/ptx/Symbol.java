/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/**
 * A name: a label, a variable, a parameter, a special register.
 *
 * @param text as PTX spells it
 */
public record Symbol(String text) implements Operand {
  /** The thread's number in its block. */
  public static final Symbol TID_X = new Symbol("%tid.x");

  /** The block's number in its grid. */
  public static final Symbol CTAID_X = new Symbol("%ctaid.x");

  /** The block's number in the second dimension of its grid. */
  public static final Symbol CTAID_Y = new Symbol("%ctaid.y");

  /** The blocks of the grid. */
  public static final Symbol NCTAID_X = new Symbol("%nctaid.x");

  /** The blocks of the grid in its second dimension. */
  public static final Symbol NCTAID_Y = new Symbol("%nctaid.y");
}
