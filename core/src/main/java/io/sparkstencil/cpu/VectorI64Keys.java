/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Keys in the order of long cells: the cells, with all bits turned around for a maximum. */
final class VectorI64Keys implements VectorI64Minimum.Cells {
  private static final VectorSpecies<Long> SPECIES = VectorShapes.I64;
  private static final int LANES = SPECIES.length();

  private final long turn;

  VectorI64Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  @Override
  public void readKeys(Object x, int from, long[] keys, int n) {
    turn((long[]) x, from, keys, 0, n);
  }

  @Override
  public boolean readLeastOfFour(Object x, int from, long[] fours, int n) {
    long[] cells = (long[]) x;
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      key(cells, p, turned)
          .min(key(cells, p + 1, turned))
          .min(key(cells, p + 2, turned).min(key(cells, p + 3, turned)))
          .intoArray(fours, i);
    }
    return true;
  }

  private static LongVector key(long[] cells, int index, long turned) {
    return LongVector.fromArray(SPECIES, cells, index).lanewise(VectorOperators.XOR, turned);
  }

  @Override
  public void writeCells(long[] keys, Object y, int at, int n) {
    turn(keys, 0, (long[]) y, at, n);
  }

  private void turn(long[] x, int from, long[] y, int at, int n) {
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      LongVector.fromArray(SPECIES, x, from + i)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(y, at + i);
    }
  }
}
