/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a grid has done so far, in all of its states together.
 *
 * <pre>{@code
 * GridMetrics done = grid.metrics();
 * System.out.println(done.engines() + " exchanged " + done.faceBytes() + " bytes");
 * }</pre>
 *
 * @param jobs the Spark jobs
 * @param supersteps the supersteps of blocks; those that were replayed are not counted
 * @param replays the supersteps that blocks have taken again because they were lost, or because
 *     Spark has run their tasks elsewhere, by the numbers of blocks; no other block takes a
 *     superstep twice, unless blocks are lost again after they have moved
 * @param repairs how often blocks that gave each other faces had to be brought back together
 * @param checkpoints the checkpoints that are complete
 * @param cellSteps the cells that were computed, halos included, once per step
 * @param stepSeconds the time of tasks for steps
 * @param exchangeSeconds the time of tasks for halos
 * @param faceBytes the bytes that blocks have given to each other
 * @param faces how many faces have come by each way: {@code heap}, {@code device} for the memory of
 *     one GPU, {@code peer} for that of another GPU of the same executor, {@code shared} for that
 *     of another executor of the same host, {@code pushed} by another executor, or {@code log} for
 *     the block managers
 * @param logBytes the bytes of faces that block managers have got to bring back lost blocks, or for
 *     want of a shorter way
 * @param logSeconds the time for which tasks have waited until faces were there
 * @param deviceLogBytes the bytes of GPUs in which faces are kept for the same purpose, as was last
 *     heard
 * @param deviceBytes the bytes of blocks that stay in the memory of GPUs, as each was last heard of
 * @param diskBytes the bytes of blocks that wait in files between supersteps, as each was last
 *     heard of
 * @param engines what took the steps, such as {@code cpu}
 * @param times where the time has gone
 */
public record GridMetrics(
    long jobs,
    long supersteps,
    Map<Integer, Long> replays,
    long repairs,
    long checkpoints,
    long cellSteps,
    double stepSeconds,
    double exchangeSeconds,
    long faceBytes,
    Map<String, Long> faces,
    long logBytes,
    double logSeconds,
    long deviceLogBytes,
    long deviceBytes,
    long diskBytes,
    Set<String> engines,
    Times times) {
  /**
   * Where the time has gone. Blocks of an executor take steps, and exchange faces, at the same time
   * as others: their seconds add up to more than those of jobs.
   *
   * @param jobs the seconds of jobs
   * @param outside those of them that were before and after all of their tasks, as to start a job
   *     takes time
   * @param steps what blocks have taken for steps
   * @param gives what they have taken to pack faces and to hand them over
   * @param takes what they have taken to look for faces and to fill halos
   * @param waits from the first look for faces, some of which were not there, to the last; others
   *     take steps meanwhile
   * @param early how many faces of other executors were in place before the rest of a halo: tasks
   *     with nothing else to do take them while others step
   * @param pushes from when faces were pushed to the answers that they have been taken
   * @param pushed how many faces that was
   * @param again those of {@code steps} that blocks have taken again, on the executor that took
   *     most of them
   */
  public record Times(
      double jobs,
      double outside,
      double steps,
      double gives,
      double takes,
      double waits,
      long early,
      double pushes,
      long pushed,
      double again) {
    /** Returns what has been added since another look. */
    public Times since(Times before) {
      return new Times(
          jobs - before.jobs,
          outside - before.outside,
          steps - before.steps,
          gives - before.gives,
          takes - before.takes,
          waits - before.waits,
          early - before.early,
          pushes - before.pushes,
          pushed - before.pushed,
          again - before.again);
    }

    /** Returns it in words. */
    public String text() {
      return "%.3f s of jobs, %.3f s of it outside their tasks; blocks took %.3f s for steps, %.3f s to give faces and %.3f s to take them, and waited %.3f s for some while others worked; %d faces came early%s%s"
          .formatted(
              jobs,
              outside,
              steps,
              gives,
              takes,
              waits,
              early,
              pushed == 0
                  ? ""
                  : "; %d faces pushed, each there after %.2f ms"
                      .formatted(pushed, 1e3 * pushes / pushed),
              again == 0
                  ? ""
                  : "; one executor took %.3f s for steps that were taken again".formatted(again));
    }
  }

  /** Returns the supersteps that blocks have taken again. */
  public long replayedSupersteps() {
    return replays.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the blocks that have been brought back, or have moved, in order. */
  public Set<Integer> replayedBlocks() {
    return new TreeSet<>(replays.keySet());
  }
}
