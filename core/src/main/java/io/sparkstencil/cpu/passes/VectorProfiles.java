/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Trains the JVM's profiles of the Vector API before the first pass is compiled: they must have
 * seen every operator that passes use, and more than one kind of operator in the library's methods.
 *
 * <p>The library looks up the code of an operator when it is first used on a type. Compiled code
 * that has seen no lookup, or only lookups for other types, notes a trap for each new one. A JVM
 * that has seen only additions, for example, compiles the library's own methods for additions and
 * notes traps when it meets another operator. The compiler adds up the traps of all methods that it
 * inlines into one: a lookup that has noted four contributes four with each operation. Beyond 100
 * traps (the JVM's option {@code PerMethodTrapLimit}) it trusts no profile in that method. It then
 * does not know the class of a vector, cannot compile a store of it, and turns every vector on the
 * way there into an object. Passes become up to ten times as slow. If all operators have been
 * looked up, and the profiles contain two kinds of operators and shifts (which the library handles
 * separately) from the start, few traps remain.
 *
 * <p>In a JVM in which other code has used the Vector API before, the traps may already be there.
 * To lose less in this case, passes make a vector carried around a loop the argument of an
 * operation and not its receiver, whose class would have to be known.
 */
final class VectorProfiles {
  /** Profiling starts after 200 calls, when the method has been compiled for the first time. */
  private static final int ROUNDS = 500;

  private static boolean mixed;

  private VectorProfiles() {}

  /**
   * Looks up all operators for all types, then runs additions, subtractions and shifts on vectors
   * of all types for a while. Only the first call has an effect.
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
    x = x.add(x).sub(x).mul(x).div(1).fma(x, x).abs().sqrt().max(x);
    x.blend(x, x.compare(VectorOperators.LT, x)).intoArray(floats, 0);
    DoubleVector y = DoubleVector.fromArray(VectorShapes.F64, doubles, 0);
    y = y.add(y).sub(y).mul(y).div(1).fma(y, y).abs().sqrt().max(y);
    y.blend(y, y.compare(VectorOperators.LT, y)).intoArray(doubles, 0);
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
