/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;

/**
 * What the compiler is to know of the Vector API before it compiles the first pass: that more than
 * one kind of operator goes through it.
 *
 * <p>A JVM that has only seen additions, say, compiles the library's own methods for additions, and
 * notes traps when another operator comes by. The traps of all methods inlined into one compiled
 * method are added up (an addition brings about ten), and beyond 100 (the JVM's option {@code
 * PerMethodTrapLimit}) the compiler trusts no profile in that method. Then it does not know the
 * class of a vector that profiles would have told, cannot compile a store of it, and makes an
 * object of every vector on the way there: passes are ten times as slow. Where both kinds are in
 * the profiles from the start, there are no such traps.
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

  /** Runs operators of both kinds, an addition and a subtraction, on vectors of all types, once. */
  static synchronized void mix() {
    if (mixed) {
      return;
    }
    float[] floats = new float[VectorShapes.F32.length()];
    double[] doubles = new double[VectorShapes.F64.length()];
    int[] ints = new int[VectorShapes.I32.length()];
    long[] longs = new long[VectorShapes.I64.length()];
    for (int round = 0; round < ROUNDS; round++) {
      FloatVector x = FloatVector.fromArray(VectorShapes.F32, floats, 0);
      x.add(x).sub(x).intoArray(floats, 0);
      DoubleVector y = DoubleVector.fromArray(VectorShapes.F64, doubles, 0);
      y.add(y).sub(y).intoArray(doubles, 0);
      IntVector i = IntVector.fromArray(VectorShapes.I32, ints, 0);
      i.add(i).sub(i).intoArray(ints, 0);
      LongVector j = LongVector.fromArray(VectorShapes.I64, longs, 0);
      j.add(j).sub(j).intoArray(longs, 0);
    }
    mixed = true;
  }
}
