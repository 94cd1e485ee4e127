/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import java.util.Arrays;
import java.util.stream.Stream;

/** Compares an engine with the reference, bit for bit, over programs at random. */
public final class ProgramConformance {
  private ProgramConformance() {}

  /** Runs a number of steps and replaces the cells of the updated fields. */
  @FunctionalInterface
  public interface ProgramRunner {
    /** Runs the program. */
    void run(StencilProgram program, ProgramArrays arrays, ParameterValues parameters, int steps);
  }

  /**
   * Checks that an engine has the results of the reference in all cells of all fields. A NaN may
   * have any payload.
   *
   * @param seed of the cases
   * @throws AssertionError with the smallest case that fails
   */
  public static void requireReferenceResults(ProgramRunner engine, long seed, int cases) {
    RandomPrograms programs = new RandomPrograms(seed);
    for (int i = 0; i < cases; i++) {
      requireSameResults(
          ProgramReference::run,
          engine,
          programs.nextCase(),
          "case %d of seed %d".formatted(i, seed));
    }
  }

  /**
   * Checks that an engine has the results of another in all cells of all fields of a case. A NaN
   * may have any payload.
   *
   * @param right the engine whose results are expected
   * @param name of the case, for the message
   * @throws AssertionError with the smallest case that fails
   */
  public static void requireSameResults(
      ProgramRunner right, ProgramRunner engine, ProgramCase test, String name) {
    if (difference(test, right, engine) != null) {
      ProgramCase smallest =
          ProgramShrinker.shrink(test, other -> difference(other, right, engine) != null);
      throw new AssertionError(
          "%s, made small: %s%n%s".formatted(name, difference(smallest, right, engine), smallest));
    }
  }

  /** Returns where the results of a case differ, or null if they are the same. */
  private static String difference(ProgramCase test, ProgramRunner right, ProgramRunner engine) {
    ProgramArrays expected = test.arrays();
    ProgramArrays actual = test.arrays();
    right.run(test.program(), expected, test.parameters(), test.steps());
    try {
      engine.run(test.program(), actual, test.parameters(), test.steps());
    } catch (RuntimeException e) {
      return e + Stream.of(e.getStackTrace()).limit(3).toList().toString();
    }
    for (int field = 0; field < test.program().fields().size(); field++) {
      long[] expectedBits = bits(expected.arrays().get(field));
      long[] actualBits = bits(actual.arrays().get(field));
      int cell = Arrays.mismatch(expectedBits, actualBits);
      if (cell >= 0) {
        return "%s differs in cell %d of %d: %x, but %x is expected"
            .formatted(
                test.program().fields().get(field),
                cell,
                test.extent().cells(),
                actualBits[cell],
                expectedBits[cell]);
      }
    }
    return null;
  }

  private static long[] bits(Object array) {
    if (array instanceof double[] doubles) {
      return Arrays.stream(doubles).mapToLong(Double::doubleToLongBits).toArray();
    }
    float[] floats = (float[]) array;
    long[] bits = new long[floats.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToIntBits(floats[i]);
    }
    return bits;
  }
}
