/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Moves the cells of a vector up and down, as lanes of another type; see {@link
 * VectorShapes#shift}. What comes from beyond an end is a copy of some cell.
 */
final class VectorI32Moves {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  /** No single instruction shuffles a vector of two lanes of another type. */
  static final boolean AS_OTHER = VectorShapes.I64.length() > 2;

  static final VectorShuffle<Integer> SHORT_UP_2 = VectorShapes.shift(SPECIES, LANES, 2);
  static final VectorShuffle<Integer> SHORT_DOWN_2 = VectorShapes.shift(SPECIES, LANES, -2);

  static final VectorShuffle<Long> UP_2 = VectorShapes.shift(VectorShapes.I64, LANES, 2);
  static final VectorShuffle<Long> UP_4 = VectorShapes.shift(VectorShapes.I64, LANES, 4);
  static final VectorShuffle<Long> UP_8 = VectorShapes.shift(VectorShapes.I64, LANES, 8);
  static final VectorShuffle<Long> DOWN_2 = VectorShapes.shift(VectorShapes.I64, LANES, -2);
  static final VectorShuffle<Long> DOWN_4 = VectorShapes.shift(VectorShapes.I64, LANES, -4);
  static final VectorShuffle<Long> DOWN_8 = VectorShapes.shift(VectorShapes.I64, LANES, -8);

  private VectorI32Moves() {}

  static IntVector up2(IntVector cells) {
    return AS_OTHER ? move(cells, UP_2) : cells.rearrange(SHORT_UP_2);
  }

  static IntVector up4(IntVector cells) {
    return move(cells, UP_4);
  }

  static IntVector up8(IntVector cells) {
    return move(cells, UP_8);
  }

  static IntVector down2(IntVector cells) {
    return AS_OTHER ? move(cells, DOWN_2) : cells.rearrange(SHORT_DOWN_2);
  }

  static IntVector down4(IntVector cells) {
    return move(cells, DOWN_4);
  }

  static IntVector down8(IntVector cells) {
    return move(cells, DOWN_8);
  }

  private static IntVector move(IntVector cells, VectorShuffle<Long> by) {
    return cells.reinterpretAsLongs().rearrange(by).reinterpretAsInts();
  }
}
