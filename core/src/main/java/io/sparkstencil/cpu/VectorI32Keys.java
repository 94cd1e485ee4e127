/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Keys in the order of I32 cells: the cells, with all bits turned around for a maximum. */
final class VectorI32Keys implements VectorI32Minimum.Cells {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  private final int turn;

  VectorI32Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  @Override
  public void readLeast(Object x, int from, int second, int third, int fourth, int[] keys, int n) {
    int[] cells = (int[]) x;
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      IntVector.fromArray(SPECIES, cells, p)
          .lanewise(VectorOperators.XOR, turned)
          .min(
              IntVector.fromArray(SPECIES, cells, p + second).lanewise(VectorOperators.XOR, turned))
          .min(
              IntVector.fromArray(SPECIES, cells, p + third)
                  .lanewise(VectorOperators.XOR, turned)
                  .min(
                      IntVector.fromArray(SPECIES, cells, p + fourth)
                          .lanewise(VectorOperators.XOR, turned)))
          .intoArray(keys, i);
    }
  }

  @Override
  public void writeLeast(
      int[] keys, int first, int second, int third, int fourth, Object y, int at, int n) {
    int[] cells = (int[]) y;
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, keys, first + i)
          .min(IntVector.fromArray(SPECIES, keys, first + i + second))
          .min(
              IntVector.fromArray(SPECIES, keys, first + i + third)
                  .min(IntVector.fromArray(SPECIES, keys, first + i + fourth)))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void writeBlocks(
      int[] keys, int suffixAt, int rowAt, int lastAt, int[] prefix, Object y, int at, int n) {
    int[] cells = (int[]) y;
    int turned = turn;
    IntVector least = IntVector.fromArray(SPECIES, prefix, 0);
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, keys, suffixAt + i)
          .min(least)
          .min(IntVector.fromArray(SPECIES, keys, lastAt + i))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
      least = IntVector.fromArray(SPECIES, keys, rowAt + i).min(least);
    }
    IntVector.fromArray(SPECIES, prefix, 0).min(least).intoArray(prefix, 0);
  }
}
