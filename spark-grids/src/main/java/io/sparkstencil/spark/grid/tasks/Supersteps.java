/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The steps of consecutive supersteps. Most have the same number of steps, so they are kept in
 * stretches.
 *
 * @param first the state before the first superstep
 * @param firstStep the steps of the grid up to there
 * @param ends for each stretch, the state after its last superstep
 * @param steps for each stretch, the steps of each of its supersteps
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Supersteps(int first, long firstStep, int[] ends, int[] steps)
    implements Serializable {
  /** Returns no supersteps after a state. */
  public static Supersteps none(int first, long firstStep) {
    return new Supersteps(first, firstStep, new int[0], new int[0]);
  }

  /** Returns the state after all supersteps. */
  public int last() {
    return ends.length == 0 ? first : ends[ends.length - 1];
  }

  /** Returns these and one more superstep. */
  public Supersteps plus(int count) {
    int stretches = ends.length;
    boolean longer = stretches > 0 && steps[stretches - 1] == count;
    int[] newEnds = Arrays.copyOf(ends, longer ? stretches : stretches + 1);
    int[] newSteps = Arrays.copyOf(steps, newEnds.length);
    newEnds[newEnds.length - 1] = last() + 1;
    newSteps[newEnds.length - 1] = count;
    return new Supersteps(first, firstStep, newEnds, newSteps);
  }

  /** Returns those after a state. */
  public Supersteps after(int state) {
    int gone = stretchOf(state);
    return new Supersteps(
        state,
        stepsUpTo(state),
        Arrays.copyOfRange(ends, gone, ends.length),
        Arrays.copyOfRange(steps, gone, steps.length));
  }

  /** Returns the steps of the superstep that begins at a state. */
  public int stepsFrom(int state) {
    return steps[stretchOf(state)];
  }

  /** Returns the steps of the grid up to a state. */
  public long stepsUpTo(int state) {
    long total = firstStep;
    int start = first;
    for (int i = 0; start < state; i++) {
      int end = Math.min(ends[i], state);
      total += (long) (end - start) * steps[i];
      start = end;
    }
    return total;
  }

  /** Returns the stretch of the superstep that begins at a state. */
  private int stretchOf(int state) {
    int found = Arrays.binarySearch(ends, state + 1);
    return found < 0 ? -found - 1 : found;
  }
}
