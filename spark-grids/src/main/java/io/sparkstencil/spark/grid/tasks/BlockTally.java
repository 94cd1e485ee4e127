/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.watch.NewStray;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.tasks.BlockResult.StepSamples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What has been done with a block since its own task last reported, by whichever task. Belongs to
 * the thread that uses the block.
 */
final class BlockTally implements PushedFaces.Notes {
  private final List<StepSamples> samples = new ArrayList<>();
  private final List<MissingFace> missing = new ArrayList<>();
  private final List<Put> puts = new ArrayList<>();
  private final List<NewStray> strays = new ArrayList<>();
  private boolean loaded;
  private boolean staysOnHeap;
  private int supersteps;
  private long cellSteps;
  private long stepNanos;
  private long giveNanos;
  private long takeNanos;
  private long waitNanos;
  private long earlyFaces;
  private long faceBytes;
  private long logBytes;
  private long logNanos;
  private boolean gaveUp;
  private final Map<FacePath, Long> faces = new EnumMap<>(FacePath.class);
  private String engine = "";

  void load() {
    loaded = true;
  }

  /** Notes that a device has failed with the block. */
  void stayOnHeap() {
    staysOnHeap = true;
  }

  boolean staysOnHeap() {
    return staysOnHeap;
  }

  void superstep(String by, long steppedCells, long nanos) {
    engine = by;
    supersteps++;
    cellSteps += steppedCells;
    stepNanos += nanos;
  }

  void sample(StepSamples each) {
    samples.add(each);
  }

  /** Notes cells that diverge. */
  void strays(List<NewStray> found) {
    strays.addAll(found);
  }

  List<NewStray> strays() {
    return List.copyOf(strays);
  }

  /** Counts time in which faces were given. */
  void gave(long nanos) {
    giveNanos += nanos;
  }

  /**
   * Counts time in which faces were taken.
   *
   * @param waitedNanos for which some of them had been waited for, now that all are there
   */
  void filled(long nanos, long waitedNanos) {
    takeNanos += nanos;
    waitNanos += waitedNanos;
  }

  /** Counts bytes of a face, wherever they went. */
  void face(long bytes) {
    faceBytes += bytes;
  }

  /**
   * Counts bytes of the host that faces take in the log.
   *
   * @param nanos for which a block has waited for them to be there
   */
  @Override
  public void logged(long bytes, long nanos) {
    logBytes += bytes;
    logNanos += nanos;
  }

  /** Notes that a face that was to be logged had to be given up. */
  @Override
  public void giveUp() {
    gaveUp = true;
  }

  /** Counts a face that has come. */
  void took(FacePath path) {
    faces.merge(path, 1L, Long::sum);
  }

  /** Counts a face that was in place before the rest of the halo. */
  void tookEarly() {
    earlyFaces++;
  }

  @Override
  public void put(Put put) {
    puts.add(put);
  }

  /** Returns what was put. */
  List<Put> puts() {
    return puts;
  }

  void missing(List<MissingFace> faces) {
    missing.clear();
    missing.addAll(faces);
  }

  /** Returns the faces that were missing last. */
  List<MissingFace> missing() {
    return List.copyOf(missing);
  }

  boolean isLoaded() {
    return loaded;
  }

  int supersteps() {
    return supersteps;
  }

  List<StepSamples> samples() {
    return List.copyOf(samples);
  }

  /**
   * Returns what was done with a block, and what its cells take.
   *
   * @param taskNanos the time of the task that reports it
   */
  BlockResult.TaskCost cost(HeldBlock held, long taskNanos) {
    PushedFaces pushed = held.attached(PushedFaces.class, PushedFaces::new);
    PushedFaces.Answered answered = pushed.takeAnswered();
    BlockResult.Log log =
        new BlockResult.Log(
            logBytes,
            held.attached(GivenFaces.class, GivenFaces::new).keptBytes() + pushed.keptBytes(),
            logNanos,
            gaveUp,
            pushed.areGiven(),
            held.attached(TakenFaces.class, TakenFaces::new).readFrom());
    return new BlockResult.TaskCost(
        engine,
        cellSteps,
        new BlockResult.TaskTimes(
            stepNanos,
            giveNanos,
            takeNanos,
            waitNanos,
            earlyFaces,
            answered.nanos(),
            answered.faces(),
            taskNanos),
        faceBytes,
        Map.copyOf(faces),
        log,
        held.heapBytes(),
        held.deviceBytes(),
        held.diskBytes());
  }
}
