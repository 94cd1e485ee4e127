/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Keys in the order of I32 cells: the cells themselves, with all bits inverted for a maximum. */
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

  @Override
  public void addSuffixes(
      Object x, int from, int[] keys, int at, int[] totals, int totalsAt, int n) {
    int[] cells = (int[]) x;
    int turned = turn;
    IntVector butLast = IntVector.fromArray(SPECIES, VectorI32Minimum.BUT_LAST, 0);
    for (int i = 0; i < n; i += LANES) {
      IntVector key =
          IntVector.fromArray(SPECIES, cells, from + i).lanewise(VectorOperators.XOR, turned);
      key =
          key.min(
              IntVector.fromArray(SPECIES, cells, from + i + 1)
                  .lanewise(VectorOperators.XOR, turned)
                  .max(butLast));
      if (VectorI32Moves.AS_OTHER) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_2).reinterpretAsInts());
      } else {
        key = key.min(key.rearrange(VectorI32Moves.SHORT_DOWN_2));
      }
      if (LANES >= 8) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_4).reinterpretAsInts());
      }
      if (LANES >= 16) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_8).reinterpretAsInts());
      }
      key.intoArray(keys, at + i);
      totals[totalsAt + i / LANES] = key.lane(0);
    }
  }

  @Override
  public void writeFrames(
      Object x,
      int from,
      int[] keys,
      int ringAt,
      int tailCells,
      int[] tailLanes,
      int[] wholes,
      int first,
      Object y,
      int at,
      int n) {
    int[] source = (int[]) x;
    int[] target = (int[]) y;
    int turned = turn;
    IntVector tail = IntVector.fromArray(SPECIES, tailLanes, 0);
    IntVector butFirst = IntVector.fromArray(SPECIES, VectorI32Minimum.BUT_FIRST, 0);
    for (int i = 0; i < n; i += LANES) {
      IntVector key =
          IntVector.fromArray(SPECIES, source, from + i).lanewise(VectorOperators.XOR, turned);
      key =
          key.min(
              IntVector.fromArray(SPECIES, source, from + i - 1)
                  .lanewise(VectorOperators.XOR, turned)
                  .max(butFirst));
      if (VectorI32Moves.AS_OTHER) {
        key = key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.UP_2).reinterpretAsInts());
      } else {
        key = key.min(key.rearrange(VectorI32Moves.SHORT_UP_2));
      }
      if (LANES >= 8) {
        key = key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.UP_4).reinterpretAsInts());
      }
      if (LANES >= 16) {
        key = key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.UP_8).reinterpretAsInts());
      }
      key.min(IntVector.fromArray(SPECIES, keys, ringAt - tailCells + i))
          .min(
              IntVector.broadcast(SPECIES, keys[ringAt + i])
                  .max(tail)
                  .min(IntVector.broadcast(SPECIES, wholes[first + i / LANES])))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(target, at + i);
    }
  }
}
