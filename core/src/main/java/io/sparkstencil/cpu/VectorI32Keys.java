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
  public void writeCells(int[] keys, Object y, int at, int n) {
    turn(keys, 0, (int[]) y, at, n);
  }

  @Override
  public void writeLeast(int[] keys, int second, int third, int fourth, Object y, int at, int n) {
    int[] cells = (int[]) y;
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, keys, i)
          .min(IntVector.fromArray(SPECIES, keys, i + second))
          .min(
              IntVector.fromArray(SPECIES, keys, i + third)
                  .min(IntVector.fromArray(SPECIES, keys, i + fourth)))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
    }
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
