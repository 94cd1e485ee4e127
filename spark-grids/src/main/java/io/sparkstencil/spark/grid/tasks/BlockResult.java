/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockSteps.Samples;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.watch.NewStray;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a task has done with its block.
 *
 * @param block the number of the block
 * @param location the executor that holds it now
 * @param mark the number of the mark that says that the executor is to hold it
 * @param state the state that it is in: the target, unless faces are missing
 * @param loaded whether it began at the source
 * @param supersteps the supersteps that it has taken
 * @param missing the faces that it needs and has not found
 * @param samples of its receivers
 * @param change the largest change of the measured field; NaN is greater than all numbers
 * @param value what the action has returned
 * @param checkpoint how far the checkpoint is
 * @param cost bytes and times
 * @param strays cells that were found to diverge
 */
public record BlockResult(
    int block,
    String location,
    int mark,
    int state,
    boolean loaded,
    int supersteps,
    List<MissingFace> missing,
    List<StepSamples> samples,
    double change,
    Serializable value,
    Written checkpoint,
    TaskCost cost,
    List<NewStray> strays)
    implements Serializable {
  /** Returns whether its block has begun, or taken supersteps. */
  public boolean hasMoved() {
    return loaded || supersteps > 0;
  }

  /**
   * Returns whether a face that was missing has been put meanwhile by this task of the same job.
   */
  public boolean hasPut(MissingFace face) {
    if (block != face.block() || !hasMoved()) {
      return false;
    }
    // those of coefficients, and of the state where it was, are put late if its reader has just
    // left
    int from = loaded ? Schedule.COEFFICIENTS : state - supersteps;
    return face.state() == Schedule.COEFFICIENTS || (face.state() >= from && face.state() <= state);
  }

  /** Returns whether a face was missing because its block is not so far yet. */
  public boolean willPut(MissingFace face) {
    return block == face.block() && state < face.state();
  }

  /**
   * What has become of the checkpoint of a block.
   *
   * @param stage how far it is
   * @param receipt what the sink has returned; null before that
   */
  public record Written(Stage stage, Serializable receipt) implements Serializable {
    static Written at(Stage stage) {
      return new Written(stage, null);
    }
  }

  /** How far the checkpoint of a block is. */
  public enum Stage {
    /** None is being written. */
    NONE,
    /** The cells are being written. */
    PENDING,
    /** The cells are written. */
    DONE,
    /** The block is past the state, and was never there on this executor. */
    MISSED
  }

  /**
   * Samples of a superstep.
   *
   * @param firstStep the steps of the grid before it
   * @param samples one value per step
   */
  public record StepSamples(long firstStep, Samples samples) implements Serializable {}

  /**
   * What the log of faces has cost.
   *
   * @param hostBytes the bytes of the host that were put into it, as the collector counts them
   * @param deviceBytes the bytes of devices that it takes
   * @param waitNanos for which the block waited for it
   * @param gaveUp whether a face that was to be kept had to be given up
   * @param pushes whether faces are pushed, so that the driver does not know of those in the log
   * @param readFrom the executors that the block has read shared faces of
   */
  public record Log(
      long hostBytes,
      long deviceBytes,
      long waitNanos,
      boolean gaveUp,
      boolean pushes,
      Set<String> readFrom)
      implements Serializable {}

  /**
   * Where the time of a task, and of what was done with its block, has gone.
   *
   * @param stepNanos the time of the steps
   * @param giveNanos the time of packing faces, and of handing them over
   * @param takeNanos the time of looking for faces, and of filling halos with them
   * @param waitNanos the time from the first look for faces, some of which were not there, to the
   *     last; other blocks take their steps meanwhile
   * @param earlyFaces the faces of other executors that were in place before the rest of a halo
   * @param pushNanos the time from when faces were pushed to the answers that they have been taken
   * @param pushes how many faces that was
   * @param taskNanos the time of the task itself
   */
  public record TaskTimes(
      long stepNanos,
      long giveNanos,
      long takeNanos,
      long waitNanos,
      long earlyFaces,
      long pushNanos,
      long pushes,
      long taskNanos)
      implements Serializable {
    /** No time. */
    public static final TaskTimes NONE = new TaskTimes(0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns the sum. */
    public TaskTimes plus(TaskTimes more) {
      return new TaskTimes(
          stepNanos + more.stepNanos,
          giveNanos + more.giveNanos,
          takeNanos + more.takeNanos,
          waitNanos + more.waitNanos,
          earlyFaces + more.earlyFaces,
          pushNanos + more.pushNanos,
          pushes + more.pushes,
          taskNanos + more.taskNanos);
    }

    /** Returns the time of packing, putting, fetching and unpacking faces. */
    public long exchangeNanos() {
      return giveNanos + takeNanos;
    }
  }

  /**
   * What a task has cost.
   *
   * @param engine the engine that took the last steps; empty if none
   * @param cellSteps the cells of the block, halo included, once per step
   * @param times where its time has gone
   * @param faceBytes the bytes of the faces that were put
   * @param faces how many faces of neighbours have come by each way
   * @param log what became of the log of faces
   * @param heapBytes the bytes of the block and its halo on the heap
   * @param deviceBytes those on a device
   * @param diskBytes those on disk
   */
  public record TaskCost(
      String engine,
      long cellSteps,
      TaskTimes times,
      long faceBytes,
      Map<FacePath, Long> faces,
      Log log,
      long heapBytes,
      long deviceBytes,
      long diskBytes)
      implements Serializable {}
}
