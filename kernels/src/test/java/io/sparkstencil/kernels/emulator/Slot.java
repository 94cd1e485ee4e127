/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

/**
 * A register of a kernel, or what is read like one: a constant, a special register.
 *
 * @param kind where its bits are
 * @param index its place among those of its kind
 * @param id its place among all of a kernel
 * @param text as PTX spells it
 */
record Slot(Kind kind, int index, int id, String text) {
  /** Lanes of a warp. */
  static final int LANES = 32;

  /** Where the bits of a register are. */
  enum Kind {
    /** A bit for each lane. */
    PREDICATE,
    /** An int for each lane: integers and the bits of binary32. */
    NARROW,
    /** A long for each lane: integers, addresses, and the bits of binary64. */
    WIDE
  }

  /** Returns the place of the first lane in the registers of this kind. */
  int base() {
    return index * LANES;
  }

  boolean isWide() {
    return kind == Kind.WIDE;
  }
}
