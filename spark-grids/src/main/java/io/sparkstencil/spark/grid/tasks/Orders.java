/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;

/**
 * What tasks of one job are to do.
 *
 * @param schedule of the run
 * @param target the state that blocks are brought to
 * @param fresh whether blocks begin again from the source, whatever the executor holds
 * @param markedField the field whose change is measured, -1 for none
 * @param markedState the state that it is compared with; it is marked when a block is there
 * @param action what is wanted of blocks in the target state; null for nothing
 * @param checkpointState the state of which a checkpoint is being written, -1 for none
 * @param sink where it goes; null for nowhere
 * @param awaitCheckpoint whether the task waits until its block is written
 * @param awaitFaces whether tasks wait for faces of other executors, whose blocks are on their way
 *     to the same state; else a face that is not there is missing
 * @param watchedState a state in which blocks are looked at for cells that diverge, -1 for none
 */
public record Orders(
    Schedule schedule,
    int target,
    boolean fresh,
    int markedField,
    int markedState,
    BlockAction action,
    int checkpointState,
    CheckpointSink sink,
    boolean awaitCheckpoint,
    boolean awaitFaces,
    int watchedState)
    implements Serializable {
  /** The state, or field, that stands for none. */
  public static final int NONE = -1;

  /** Returns orders to bring blocks to a state. */
  public static Orders to(Schedule schedule, int target) {
    return new Orders(schedule, target, false, NONE, NONE, null, NONE, null, false, false, NONE);
  }

  /** Returns the same for blocks that begin again. */
  public Orders fromTheSource(boolean again) {
    return new Orders(
        schedule,
        target,
        again,
        markedField,
        markedState,
        action,
        checkpointState,
        sink,
        awaitCheckpoint,
        awaitFaces,
        watchedState);
  }

  /** Returns the same with another target, without what is wanted there. */
  public Orders onTheWayTo(int state) {
    return new Orders(
        schedule,
        state,
        fresh,
        markedField,
        markedState,
        null,
        checkpointState,
        sink,
        false,
        false,
        watchedState);
  }

  /** Returns the same with a schedule that keeps faces elsewhere. */
  public Orders with(Schedule other) {
    return new Orders(
        other,
        target,
        fresh,
        markedField,
        markedState,
        action,
        checkpointState,
        sink,
        awaitCheckpoint,
        awaitFaces,
        watchedState);
  }

  /** Returns the same, measuring how much a field changes. */
  public Orders measuring(int field, int since) {
    return new Orders(
        schedule,
        target,
        fresh,
        field,
        since,
        action,
        checkpointState,
        sink,
        awaitCheckpoint,
        awaitFaces,
        watchedState);
  }

  /** Returns the same with something wanted of blocks in the target state. */
  public Orders doing(BlockAction wanted) {
    return new Orders(
        schedule,
        target,
        fresh,
        markedField,
        markedState,
        wanted,
        checkpointState,
        sink,
        awaitCheckpoint,
        awaitFaces,
        watchedState);
  }

  /** Returns the same, writing a checkpoint of a state. */
  public Orders writing(int state, CheckpointSink where, boolean await) {
    return new Orders(
        schedule,
        target,
        fresh,
        markedField,
        markedState,
        action,
        state,
        where,
        await,
        awaitFaces,
        watchedState);
  }

  /** Returns the same for tasks that wait for faces. */
  public Orders awaitingFaces() {
    return new Orders(
        schedule,
        target,
        fresh,
        markedField,
        markedState,
        action,
        checkpointState,
        sink,
        awaitCheckpoint,
        true,
        watchedState);
  }

  /** Returns the same, looking at blocks in a state for cells that diverge. */
  public Orders watching(int state) {
    return new Orders(
        schedule,
        target,
        fresh,
        markedField,
        markedState,
        action,
        checkpointState,
        sink,
        awaitCheckpoint,
        awaitFaces,
        state);
  }
}
