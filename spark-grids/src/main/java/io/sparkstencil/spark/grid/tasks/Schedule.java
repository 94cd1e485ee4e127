/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.ExtendedBlock;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The supersteps of a run, and where faces are kept. State {@code i} is what the cells are after
 * superstep {@code i}; the first state is that of the source. The faces of some consecutive states
 * are kept under one number of an RDD, so that few numbers travel and few removals are needed.
 *
 * @param supersteps those from the state of the source
 * @param coefficientFaces where the faces of fields that are never updated are kept
 * @param starts the first states of each of the numbers under which the faces of updated fields are
 *     kept, ascending
 * @param faces those numbers; 0 where the faces were given up
 * @param loggedFrom the first state whose faces may help to bring a block back
 * @param keepsAll whether those are kept, too, that one block of an executor gives to another
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Schedule(
    Supersteps supersteps,
    int coefficientFaces,
    int[] starts,
    int[] faces,
    int loggedFrom,
    boolean keepsAll)
    implements Serializable {
  /** The most states whose faces have one number. */
  public static final int STATES = 16;

  /** Stands for the state of fields that are never updated. */
  public static final int COEFFICIENTS = -1;

  /** Says that the faces of no state can help to bring a block back. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** Returns the state of the source. */
  public int first() {
    return supersteps.first();
  }

  /** Returns the steps of the superstep that begins at a state. */
  public int stepsFrom(int state) {
    return supersteps.stepsFrom(state);
  }

  /** Returns the steps of the grid up to a state. */
  public long stepsUpTo(int state) {
    return supersteps.stepsUpTo(state);
  }

  private int numberOf(int state) {
    int found = Arrays.binarySearch(starts, state);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns the number of the RDD under which the faces of a state are kept; 0 for none. */
  public int facesAt(int state) {
    return state == COEFFICIENTS ? coefficientFaces : faces[numberOf(state)];
  }

  /** Returns the index of the first piece of a face among those of its RDD. */
  int firstPiece(GridModel model, int state, ExtendedBlock taker, int giver) {
    int slot = state == COEFFICIENTS ? 0 : state - starts[numberOf(state)];
    int index = taker.givers().indexOf(giver);
    return Math.multiplyExact(slot, model.plan().piecesPerSuperstep())
        + model.plan().firstPiece(taker.block(), index);
  }
}
