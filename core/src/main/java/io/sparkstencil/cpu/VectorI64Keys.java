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
  public void writeCells(long[] keys, Object y, int at, int n) {
    turn(keys, 0, (long[]) y, at, n);
  }

  @Override
  public void writeLeast(long[] keys, int second, int third, int fourth, Object y, int at, int n) {
    long[] cells = (long[]) y;
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      LongVector.fromArray(SPECIES, keys, i)
          .min(LongVector.fromArray(SPECIES, keys, i + second))
          .min(
              LongVector.fromArray(SPECIES, keys, i + third)
                  .min(LongVector.fromArray(SPECIES, keys, i + fourth)))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(cells, at + i);
    }
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
