/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
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

  /**
   * Returns the shuffle that moves cells up by {@code cells}, down if that is negative; those that
   * would come from beyond an end come from the outermost ones there.
   *
   * <p>The library compares a shuffle with a vector of zeros of its own type each time, and the
   * compiler takes that out of a loop only if the loop stores nothing in arrays of the type. Cells
   * are therefore best moved as lanes of another type: ints as longs and the other way round. Bits
   * of integers must not be moved as floats: code that is not compiled yet makes one NaN of all.
   *
   * @param lanes the cells of a vector
   */
  static <E> VectorShuffle<E> shift(VectorSpecies<E> species, int lanes, int cells) {
    int lanesOfCell = Math.max(1, species.length() / lanes);
    int groups = species.length() / lanesOfCell;
    if (cells * groups % lanes != 0) {
      throw new IllegalArgumentException(
          "%d of %d cells are no whole lanes of %s".formatted(cells, lanes, species));
    }
    int by = cells * groups / lanes;
    return VectorShuffle.fromOp(
        species,
        lane ->
            Math.max(0, Math.min(groups - 1, lane / lanesOfCell - by)) * lanesOfCell
                + lane % lanesOfCell);
  }
}
