/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The widest vectors that the hardware likes, up to 512 bits. */
final class VectorShapes {
  private static final VectorShape SHAPE =
      VectorShape.preferredShape().vectorBitSize() > 512
          ? VectorShape.S_512_BIT
          : VectorShape.preferredShape();

  static final VectorSpecies<Float> F32 = VectorSpecies.of(float.class, SHAPE);
  static final VectorSpecies<Double> F64 = VectorSpecies.of(double.class, SHAPE);
  static final VectorSpecies<Integer> I32 = VectorSpecies.of(int.class, SHAPE);
  static final VectorSpecies<Long> I64 = VectorSpecies.of(long.class, SHAPE);

  private VectorShapes() {}
}
