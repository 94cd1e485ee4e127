/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.tasks.Schedule;
import io.sparkstencil.spark.grid.tasks.Supersteps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;

/** The supersteps of a run as it goes on, and the numbers of the RDDs that faces are kept under. */
final class RunSchedule {
  private final IntSupplier newId;
  private final IntConsumer remove;
  private final int coefficientFaces;
  private Supersteps supersteps;
  private final List<Integer> faces = new ArrayList<>();
  private boolean keepsAll;

  RunSchedule(SparkContext context, long firstStep) {
    this(() -> BlockBytes.newId(context), id -> BlockBytes.remove(context, id), firstStep);
  }

  /**
   * Creates a schedule without supersteps.
   *
   * @param newId gives numbers of RDDs
   * @param remove removes what is kept under a number
   */
  RunSchedule(IntSupplier newId, IntConsumer remove, long firstStep) {
    this.newId = newId;
    this.remove = remove;
    supersteps = Supersteps.none(0, firstStep);
    coefficientFaces = newId.getAsInt();
    faces.add(newId.getAsInt());
  }

  /** Returns the state of the source. */
  int first() {
    return supersteps.first();
  }

  /** Returns the last state. */
  int last() {
    return supersteps.last();
  }

  /**
   * Adds a superstep.
   *
   * @param kept the states whose faces may be kept, at least; more than that are given up
   */
  void add(int count, int kept) {
    supersteps = supersteps.plus(count);
    if (last() / Schedule.STATES - first() / Schedule.STATES == faces.size()) {
      faces.add(newId.getAsInt());
      giveUp(faces.size() - 1 - (kept + Schedule.STATES - 1) / Schedule.STATES);
    }
  }

  /** Removes faces, except for the latest; what they would bring back is computed by all blocks. */
  private void giveUp(int count) {
    for (int i = 0; i < count; i++) {
      if (faces.get(i) != 0) {
        remove.accept(faces.get(i));
        faces.set(i, 0);
      }
    }
  }

  /** From now on, faces between blocks of one executor are kept, too, as blocks go astray. */
  void keepAll() {
    keepsAll = true;
  }

  /** Returns whether faces between blocks of one executor are kept. */
  boolean keepsAll() {
    return keepsAll;
  }

  /** Returns whether faces of a state were given up. */
  boolean isGivenUp(int state) {
    return state != Schedule.COEFFICIENTS
        && faces.get(state / Schedule.STATES - first() / Schedule.STATES) == 0;
  }

  /** Returns whether faces of any state were given up. */
  boolean hasGivenUp() {
    return faces.contains(0);
  }

  /** Gives new numbers to faces that were given up, so that they can be put again. */
  void restore() {
    faces.replaceAll(id -> id == 0 ? newId.getAsInt() : id);
  }

  /** Makes a later state the source, and removes the faces of those before. */
  void beginAt(int state) {
    int gone = state / Schedule.STATES - first() / Schedule.STATES;
    faces.subList(0, gone).stream()
        .mapToInt(Integer::intValue)
        .filter(id -> id != 0)
        .forEach(remove);
    faces.subList(0, gone).clear();
    supersteps = supersteps.after(state);
  }

  /** Returns the steps of the grid up to the last state. */
  long stepsUpToLast() {
    return supersteps.stepsUpTo(last());
  }

  /** Returns the schedule as tasks get it. */
  Schedule snapshot() {
    int[] kept = faces.stream().mapToInt(Integer::intValue).toArray();
    return new Schedule(supersteps, coefficientFaces, kept, keepsAll);
  }

  /** Returns the schedule of blocks that begin at the last state. */
  Schedule fromLast() {
    int before = last() / Schedule.STATES - first() / Schedule.STATES;
    int[] kept = faces.stream().skip(before).mapToInt(Integer::intValue).toArray();
    return new Schedule(supersteps.after(last()), coefficientFaces, kept, keepsAll);
  }

  /** Removes all faces. */
  void close() {
    IntStream.concat(IntStream.of(coefficientFaces), faces.stream().mapToInt(Integer::intValue))
        .filter(id -> id != 0)
        .forEach(remove);
  }
}
