/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.FacePath;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.BlockResult.TaskTimes;
import io.sparkstencil.spark.plugin.GridStarted;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts what runs of a grid do. Safe for many threads. */
public final class GridCounters {
  private static final double NANOS = 1e9;

  private long jobs;
  private long supersteps;
  private long repairs;
  private long checkpoints;
  private long cellSteps;
  private TaskTimes times = TaskTimes.NONE;
  private long jobNanos;
  private long outsideNanos;
  private long faceBytes;
  private long gridSteps;
  private double gridNanos;
  private long logBytes;
  private long logNanos;
  private final Map<Integer, Long> deviceLogBytes = new HashMap<>(); // of each block
  private final Map<FacePath, Long> faces = new EnumMap<>(FacePath.class);
  private final Map<Integer, Long> deviceBytes = new HashMap<>(); // of each block
  private final Map<Integer, Long> diskBytes = new HashMap<>(); // of each block
  private final Map<Integer, Long> replays = new TreeMap<>();
  private final Map<String, Long> againNanos = new HashMap<>(); // of each executor
  private final Set<String> engines = new TreeSet<>();

  /**
   * What was counted.
   *
   * @param jobs the Spark jobs
   * @param supersteps the supersteps of blocks, those that were replayed not counted
   * @param replays the supersteps that blocks that were lost, or have moved, have taken again, by
   *     the numbers of blocks
   * @param repairs how often blocks had to be brought back together, step by step
   * @param checkpoints the checkpoints that are complete
   * @param cellSteps the cells of blocks and halos, once per step
   * @param times where the time of tasks has gone
   * @param againNanos those of them for steps that were taken again, on the executor with the most
   * @param jobNanos the time of jobs
   * @param outsideNanos how much of it was before and after all of their tasks
   * @param faceBytes the bytes of faces
   * @param faces how many faces have come by each way
   * @param logBytes the bytes that were put into the log of faces in block managers
   * @param logNanos the time for which tasks have waited for it
   * @param deviceLogBytes the bytes of devices that the log of faces takes, as was last heard
   * @param deviceBytes the bytes of blocks on devices, as each was last heard of
   * @param diskBytes the bytes of blocks on disk, as each was last heard of
   * @param engines what took the steps
   */
  public record Counts(
      long jobs,
      long supersteps,
      Map<Integer, Long> replays,
      long repairs,
      long checkpoints,
      long cellSteps,
      TaskTimes times,
      long againNanos,
      long jobNanos,
      long outsideNanos,
      long faceBytes,
      Map<FacePath, Long> faces,
      long logBytes,
      long logNanos,
      long deviceLogBytes,
      long deviceBytes,
      long diskBytes,
      Set<String> engines) {}

  synchronized void job() {
    jobs++;
  }

  /**
   * Counts a job over blocks.
   *
   * @param nanos its time
   */
  synchronized void job(long nanos, List<BlockResult> results) {
    jobs++;
    jobNanos += nanos;
    outsideNanos +=
        nanos
            - results.stream()
                .mapToLong(result -> result.cost().times().taskNanos())
                .max()
                .orElse(nanos);
  }

  synchronized void repair() {
    repairs++;
  }

  synchronized void checkpoint() {
    checkpoints++;
  }

  /**
   * Adds what a task has done.
   *
   * @param gained how many states the block is further than ever before
   * @param begun whether blocks were expected to begin
   */
  synchronized void add(BlockResult result, int gained, boolean begun) {
    int taken = Math.min(gained, result.supersteps());
    supersteps += taken;
    int again = result.supersteps() - taken;
    if (again > 0 || (result.loaded() && !begun)) {
      replays.merge(result.block(), (long) again, Long::sum);
    }
    if (again > 0) {
      long nanos = result.cost().times().stepNanos() / result.supersteps() * again;
      againNanos.merge(result.location(), nanos, Long::sum);
    }
    cellSteps += result.cost().cellSteps();
    times = times.plus(result.cost().times());
    faceBytes += result.cost().faceBytes();
    result.cost().faces().forEach((path, count) -> faces.merge(path, count, Long::sum));
    logBytes += result.cost().log().hostBytes();
    logNanos += result.cost().log().waitNanos();
    deviceLogBytes.put(result.block(), result.cost().log().deviceBytes());
    deviceBytes.put(result.block(), result.cost().deviceBytes());
    diskBytes.put(result.block(), result.cost().diskBytes());
    if (!result.cost().engine().isEmpty()) {
      engines.add(result.cost().engine());
    }
  }

  /** Counts steps of the grid and how long they took. */
  synchronized void took(long steps, long nanos) {
    gridSteps += steps;
    gridNanos += nanos;
  }

  /** Returns the milliseconds of a step of the grid, NaN before the first. */
  synchronized double millisPerStep() {
    return 1e-6 * gridNanos / gridSteps;
  }

  /** Returns what was counted so far. */
  public synchronized Counts counts() {
    return new Counts(
        jobs,
        supersteps,
        Map.copyOf(replays),
        repairs,
        checkpoints,
        cellSteps,
        times,
        againNanos.values().stream().reduce(0L, Math::max),
        jobNanos,
        outsideNanos,
        faceBytes,
        Map.copyOf(faces),
        logBytes,
        logNanos,
        sum(deviceLogBytes),
        sum(deviceBytes),
        sum(diskBytes),
        Set.copyOf(engines));
  }

  /**
   * Returns what listeners are told.
   *
   * @param open whether the grid holds its blocks
   */
  synchronized GridStarted.State state(boolean open) {
    return new GridStarted.State(
        open,
        supersteps,
        sum(replays),
        cellSteps,
        times.stepNanos() / NANOS,
        times.exchangeNanos() / NANOS,
        faceBytes,
        open ? sum(deviceBytes) : 0,
        open ? sum(diskBytes) : 0,
        Set.copyOf(engines));
  }

  private static long sum(Map<Integer, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
