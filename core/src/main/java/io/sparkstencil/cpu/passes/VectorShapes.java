/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Shapes of the widest vectors that the hardware prefers, up to 512 bits. */
public final class VectorShapes {
  private static final VectorShape SHAPE =
      VectorShape.preferredShape().vectorBitSize() > 512
          ? VectorShape.S_512_BIT
          : VectorShape.preferredShape();

  public static final VectorSpecies<Float> F32 = VectorSpecies.of(float.class, SHAPE);
  public static final VectorSpecies<Double> F64 = VectorSpecies.of(double.class, SHAPE);
  public static final VectorSpecies<Integer> I32 = VectorSpecies.of(int.class, SHAPE);
  public static final VectorSpecies<Long> I64 = VectorSpecies.of(long.class, SHAPE);

  private VectorShapes() {}

  /**
   * Returns the shuffle that moves cells up by {@code cells}, or down if that is negative. Cells
   * that would come from beyond an end are copies of the outermost cell there.
   *
   * <p>The library compares each shuffle with a vector of zeros of its own type, and the compiler
   * hoists this comparison out of a loop only if the loop stores nothing in arrays of that type.
   * Cells are therefore best moved as lanes of another type: ints as longs and longs as ints. Bits
   * of integers must not be moved as floats, because code that is not compiled yet turns every NaN
   * into the same NaN.
   *
   * @param lanes the number of cells in a vector
   */
  static <E> VectorShuffle<E> shift(VectorSpecies<E> species, int lanes, int cells) {
    int lanesOfCell = Math.max(1, species.length() / lanes);
    int groups = species.length() / lanesOfCell;
    if (cells * groups % lanes != 0) {
      throw new IllegalArgumentException(
          "%d of %d cells are not a whole number of lanes of %s".formatted(cells, lanes, species));
    }
    int by = cells * groups / lanes;
    return VectorShuffle.fromOp(
        species,
        lane ->
            Math.max(0, Math.min(groups - 1, lane / lanesOfCell - by)) * lanesOfCell
                + lane % lanesOfCell);
  }
}
