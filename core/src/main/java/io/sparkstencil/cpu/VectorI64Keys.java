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
  public void readLeast(Object x, int from, int second, int third, int fourth, long[] keys, int n) {
    long[] cells = (long[]) x;
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      LongVector.fromArray(SPECIES, cells, p)
          .lanewise(VectorOperators.XOR, turned)
          .min(
              LongVector.fromArray(SPECIES, cells, p + second)
                  .lanewise(VectorOperators.XOR, turned))
          .min(
              LongVector.fromArray(SPECIES, cells, p + third)
                  .lanewise(VectorOperators.XOR, turned)
                  .min(
                      LongVector.fromArray(SPECIES, cells, p + fourth)
                          .lanewise(VectorOperators.XOR, turned)))
          .intoArray(keys, i);
    }
  }

  @Override
  public void writeLeast(
      long[] keys, int first, int second, int third, int fourth, Object y, int at, int n) {
    long[] cells = (long[]) y;
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      LongVector.fromArray(SPECIES, keys, first + i)
          .min(LongVector.fromArray(SPECIES, keys, first + i + second))
          .min(
              LongVector.fromArray(SPECIES, keys, first + i + third)
                  .min(LongVector.fromArray(SPECIES, keys, first + i + fourth)))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void writeBlocks(
      long[] keys, int suffixAt, int rowAt, long[] prefix, Object y, int at, int n) {
    long[] cells = (long[]) y;
    long turned = turn;
    LongVector least = LongVector.fromArray(SPECIES, prefix, 0);
    for (int i = 0; i < n; i += LANES) {
      LongVector.fromArray(SPECIES, keys, suffixAt + i)
          .min(least)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
      least = LongVector.fromArray(SPECIES, keys, rowAt + i).min(least);
    }
    LongVector.fromArray(SPECIES, prefix, 0).min(least).intoArray(prefix, 0);
  }
}
