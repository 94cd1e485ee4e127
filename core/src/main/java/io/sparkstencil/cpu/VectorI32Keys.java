/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Keys in the order of int cells: the cells, with all bits turned around for a maximum. */
final class VectorI32Keys implements VectorI32Minimum.Cells {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  private final int turn;

  VectorI32Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  @Override
  public void readKeys(Object x, int from, int[] keys, int n) {
    turn((int[]) x, from, keys, 0, n);
  }

  @Override
  public boolean readLeastOfFour(Object x, int from, int[] fours, int n) {
    int[] cells = (int[]) x;
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      key(cells, p, turned)
          .min(key(cells, p + 1, turned))
          .min(key(cells, p + 2, turned).min(key(cells, p + 3, turned)))
          .intoArray(fours, i);
    }
    return true;
  }

  private static IntVector key(int[] cells, int index, int turned) {
    return IntVector.fromArray(SPECIES, cells, index).lanewise(VectorOperators.XOR, turned);
  }

  @Override
  public void writeCells(int[] keys, Object y, int at, int n) {
    turn(keys, 0, (int[]) y, at, n);
  }

  private void turn(int[] x, int from, int[] y, int at, int n) {
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, x, from + i)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(y, at + i);
    }
  }
}
