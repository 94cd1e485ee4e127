/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;
import java.util.Set;

/**
 * What tasks of one job are to do.
 *
 * @param schedule of the run
 * @param target the state that blocks are brought to
 * @param fresh whether blocks begin again from the source, whatever the executor holds
 * @param mark the field whose change is measured
 * @param action what is wanted of blocks in the target state; null for nothing
 * @param checkpoint what is being written
 * @param awaitFaces whether tasks wait for faces of other executors, whose blocks are on their way
 *     to the same state; else a face that is not there is missing
 * @param awaited the blocks that are on their way, where tasks wait; empty for all
 * @param watchedState a state in which blocks are looked at for cells that diverge, -1 for none
 */
public record Orders(
    Schedule schedule,
    int target,
    boolean fresh,
    FieldMark mark,
    BlockAction action,
    CheckpointOrder checkpoint,
    boolean awaitFaces,
    Set<Integer> awaited,
    int watchedState)
    implements Serializable {
  /** The state, or field, that stands for none. */
  public static final int NONE = -1;

  /**
   * A field whose change is measured.
   *
   * @param field its number, -1 for none
   * @param since the state that it is compared with; it is marked when a block is there
   */
  record FieldMark(int field, int since) implements Serializable {}

  /**
   * A checkpoint that is being written.
   *
   * @param state whose cells it has, -1 for none
   * @param sink where it goes; null for nowhere
   * @param await whether the task waits until its block is written
   * @param mostNanos for which a task works on that has written cells itself while others wait for
   *     its core
   */
  record CheckpointOrder(int state, CheckpointSink sink, boolean await, long mostNanos)
      implements Serializable {}

  /** Returns orders to bring blocks to a state. */
  public static Orders to(Schedule schedule, int target) {
    return new Orders(
        schedule,
        target,
        false,
        new FieldMark(NONE, NONE),
        null,
        new CheckpointOrder(NONE, null, false, 0),
        false,
        Set.of(),
        NONE);
  }

  /** Returns the same for blocks that begin again. */
  public Orders fromTheSource(boolean again) {
    return new Orders(
        schedule, target, again, mark, action, checkpoint, awaitFaces, awaited, watchedState);
  }

  /** Returns the same with another target, without what is wanted there. */
  public Orders onTheWayTo(int state) {
    return new Orders(
        schedule,
        state,
        fresh,
        mark,
        null,
        new CheckpointOrder(checkpoint.state(), checkpoint.sink(), false, checkpoint.mostNanos()),
        false,
        Set.of(),
        watchedState);
  }

  /** Returns the same with a schedule that keeps faces elsewhere. */
  public Orders with(Schedule other) {
    return new Orders(
        other, target, fresh, mark, action, checkpoint, awaitFaces, awaited, watchedState);
  }

  /** Returns the same, measuring how much a field changes. */
  public Orders measuring(int field, int since) {
    return new Orders(
        schedule,
        target,
        fresh,
        new FieldMark(field, since),
        action,
        checkpoint,
        awaitFaces,
        awaited,
        watchedState);
  }

  /** Returns the same with something wanted of blocks in the target state. */
  public Orders doing(BlockAction wanted) {
    return new Orders(
        schedule, target, fresh, mark, wanted, checkpoint, awaitFaces, awaited, watchedState);
  }

  /**
   * Returns the same, writing a checkpoint of a state.
   *
   * @param mostNanos for which a task works on that has written cells itself while others wait for
   *     its core
   */
  public Orders writing(int state, CheckpointSink where, boolean await, long mostNanos) {
    return new Orders(
        schedule,
        target,
        fresh,
        mark,
        action,
        new CheckpointOrder(state, where, await, mostNanos),
        awaitFaces,
        awaited,
        watchedState);
  }

  /** Says what a job does with so many blocks. */
  public String describe(int blocks) {
    long to = schedule.stepsUpTo(target);
    return action != null || target == schedule.first()
        ? "grid after %d steps: %d blocks".formatted(to, blocks)
        : "grid, steps up to %d: %d blocks".formatted(to, blocks);
  }

  /** Returns the same for tasks that wait for faces of all blocks. */
  public Orders awaitingFaces() {
    return awaitingFaces(Set.of());
  }

  /** Returns the same for tasks that wait for faces of some blocks, or of all if it is empty. */
  public Orders awaitingFaces(Set<Integer> of) {
    return new Orders(
        schedule, target, fresh, mark, action, checkpoint, true, Set.copyOf(of), watchedState);
  }

  /** Returns whether tasks wait for faces of a block. */
  public boolean awaits(int block) {
    return awaitFaces && (awaited.isEmpty() || awaited.contains(block));
  }

  /** Returns the same, looking at blocks in a state for cells that diverge. */
  public Orders watching(int state) {
    return new Orders(
        schedule, target, fresh, mark, action, checkpoint, awaitFaces, awaited, state);
  }
}
