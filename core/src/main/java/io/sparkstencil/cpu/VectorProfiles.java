/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * What the JVM is to know of the Vector API before it compiles the first pass: all operators that
 * passes use, and that more than one kind of them goes through the library's methods.
 *
 * <p>The library looks up the code of an operator when it is first used on a type, and compiled
 * code that has never seen a lookup, or only those of other types, notes a trap for each. A JVM
 * that has only seen additions, say, compiles the library's own methods for additions, and notes
 * traps when another operator comes by. The traps of all methods inlined into one compiled method
 * are added up (a lookup that has noted four brings four with each operation), and beyond 100 (the
 * JVM's option {@code PerMethodTrapLimit}) the compiler trusts no profile in that method. Then it
 * does not know the class of a vector that profiles would have told, cannot compile a store of it,
 * and makes an object of every vector on the way there: passes are up to ten times as slow. Where
 * all operators have been looked up, and two kinds and shifts, which the library handles apart, are
 * in the profiles from the start, few traps are left.
 *
 * <p>A JVM in which other code has used the Vector API before may have noted them already. So that
 * passes lose less there, vectors carried around a loop are arguments of operations, not their
 * receivers, whose class would have to be known.
 */
final class VectorProfiles {
  /** Profiles begin after 200 calls, when the method has been compiled for the first time. */
  private static final int ROUNDS = 500;

  private static boolean mixed;

  private VectorProfiles() {}

  /**
   * Looks up all operators of all types, then runs additions, subtractions and shifts on vectors of
   * all types for a while; only the first call does anything.
   */
  static synchronized void mix() {
    if (mixed) {
      return;
    }
    float[] floats = new float[VectorShapes.F32.length()];
    double[] doubles = new double[VectorShapes.F64.length()];
    int[] ints = new int[VectorShapes.I32.length()];
    long[] longs = new long[VectorShapes.I64.length()];
    lookUpOfFloats(floats, doubles);
    lookUpOfInts(ints, longs);
    for (int round = 0; round < ROUNDS; round++) {
      FloatVector x = FloatVector.fromArray(VectorShapes.F32, floats, 0);
      x.add(x).sub(x).intoArray(floats, 0);
      DoubleVector y = DoubleVector.fromArray(VectorShapes.F64, doubles, 0);
      y.add(y).sub(y).intoArray(doubles, 0);
      IntVector i = IntVector.fromArray(VectorShapes.I32, ints, 0);
      i.add(i).sub(i).lanewise(VectorOperators.ASHR, 1).intoArray(ints, 0);
      LongVector j = LongVector.fromArray(VectorShapes.I64, longs, 0);
      j.add(j).sub(j).lanewise(VectorOperators.ASHR, 1).intoArray(longs, 0);
    }
    mixed = true;
  }

  private static void lookUpOfFloats(float[] floats, double[] doubles) {
    FloatVector x = FloatVector.fromArray(VectorShapes.F32, floats, 0);
    x.add(x).sub(x).mul(x).div(1).intoArray(floats, 0);
    DoubleVector y = DoubleVector.fromArray(VectorShapes.F64, doubles, 0);
    y.add(y).sub(y).mul(y).div(1).intoArray(doubles, 0);
  }

  private static void lookUpOfInts(int[] ints, long[] longs) {
    IntVector i = IntVector.fromArray(VectorShapes.I32, ints, 0);
    i = i.add(i).sub(i).mul(i).min(i).max(i).and(i);
    i.lanewise(VectorOperators.XOR, i).lanewise(VectorOperators.ASHR, 1).intoArray(ints, 0);
    LongVector j = LongVector.fromArray(VectorShapes.I64, longs, 0);
    j = j.add(j).sub(j).mul(j).min(j).max(j).and(j);
    j.lanewise(VectorOperators.XOR, j).lanewise(VectorOperators.ASHR, 1).intoArray(longs, 0);
  }
}
