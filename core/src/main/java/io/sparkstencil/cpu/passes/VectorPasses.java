/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.ElementType;

/** Creates passes that use the Vector API. Loaded only if its module is present. */
public final class VectorPasses {
  private VectorPasses() {}

  /** Returns new passes for one thread. */
  public static CellPasses of(ElementType type) {
    VectorProfiles.mix();
    return switch (type) {
      case F32 -> new VectorF32Passes();
      case F64 -> new VectorF64Passes();
      case I32 -> new VectorI32Passes();
      case I64 -> new VectorI64Passes();
    };
  }

  /** Returns new passes for one thread whose weighted sums round each product and sum at once. */
  public static CellPasses fused(ElementType type) {
    return switch (type) {
      case F32 -> new VectorF32FusedPasses();
      case F64 -> new VectorF64FusedPasses();
      case I32, I64 -> throw new IllegalArgumentException("products of integers are not rounded");
    };
  }

  /** Returns the number of bits in a vector. */
  public static int bits() {
    return VectorShapes.I32.vectorBitSize();
  }
}
