/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.tasks.Schedule;
import io.sparkstencil.spark.grid.tasks.Supersteps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.apache.spark.SparkContext;

/** The supersteps of a run as it goes on, and the numbers of the RDDs that faces are kept under. */
final class RunSchedule {
  private final IntSupplier newId;
  private final IntConsumer remove;
  private final int coefficientFaces;
  private Supersteps supersteps;
  private final List<Kept> faces = new ArrayList<>();
  private int loggedFrom;
  private boolean keepsAll;

  /** The faces of some consecutive states. */
  private record Kept(int start, int id) {
    /** The number of faces that were given up. */
    static final int GONE = 0;

    boolean isGone() {
      return id == GONE;
    }
  }

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
    faces.add(new Kept(0, newId.getAsInt()));
  }

  /** Returns the state of the source. */
  int first() {
    return supersteps.first();
  }

  /** Returns the last state. */
  int last() {
    return supersteps.last();
  }

  /** Adds the supersteps of a job, whose faces can be given up together. */
  void add(List<Integer> steps) {
    int start = faces.get(faces.size() - 1).start();
    boolean first = true;
    for (int count : steps) {
      supersteps = supersteps.plus(count);
      if (first || last() - start == Schedule.STATES) {
        start = last();
        faces.add(new Kept(start, newId.getAsInt()));
      }
      first = false;
    }
  }

  /**
   * Gives up the faces of earlier states, and logs none from now on that can no longer help: what
   * they would bring back is computed by all blocks, until there is a later source.
   *
   * @param state that of all blocks, whose faces some may still need
   */
  void giveUpBefore(int state) {
    giveUp();
    for (int i = 0; i + 1 < faces.size() && faces.get(i + 1).start() <= state; i++) {
      if (!faces.get(i).isGone()) {
        remove.accept(faces.get(i).id());
        faces.set(i, new Kept(faces.get(i).start(), Kept.GONE));
      }
    }
  }

  /** Logs no faces from now on that can no longer help; those that are there stay for a while. */
  void giveUp() {
    loggedFrom = Schedule.NEVER;
  }

  /** Logs faces from the last state on, as it may become the source. */
  void resume() {
    if (hasGivenUp()) {
      loggedFrom = last();
    }
  }

  /** Takes back {@link #resume}, as that state does not become the source. */
  void resumeNot() {
    if (hasGivenUp()) {
      loggedFrom = Schedule.NEVER;
    }
  }

  /**
   * From now on, faces between blocks of one executor are kept, too: Spark misplaces tasks, and a
   * block that comes to another executor has the faces of those that it leaves to take there.
   */
  void keepAll() {
    keepsAll = true;
  }

  /** Returns whether faces between blocks of one executor are kept. */
  boolean keepsAll() {
    return keepsAll;
  }

  /** Returns whether faces of any state since the source were given up. */
  boolean hasGivenUp() {
    return loggedFrom > first();
  }

  /** Returns whether no faces are logged that may help to bring a block back. */
  boolean logsNothing() {
    return loggedFrom == Schedule.NEVER;
  }

  /** Returns whether the faces of all states after one are logged that may help, or of none. */
  boolean logsAlikeAfter(int state) {
    return logsNothing() || loggedFrom <= state + 1;
  }

  /** Gives new numbers to faces that were given up, so that they can be put again. */
  void restore() {
    loggedFrom = first();
    faces.replaceAll(kept -> kept.isGone() ? new Kept(kept.start(), newId.getAsInt()) : kept);
  }

  /** Makes a later state the source, and removes the faces of those before. */
  void beginAt(int state) {
    while (faces.size() > 1 && faces.get(1).start() <= state) {
      Kept gone = faces.remove(0);
      if (!gone.isGone()) {
        remove.accept(gone.id());
      }
    }
    supersteps = supersteps.after(state);
    loggedFrom = Math.max(loggedFrom, state);
  }

  /** Returns the steps of the grid up to the last state. */
  long stepsUpToLast() {
    return supersteps.stepsUpTo(last());
  }

  /** Returns the schedule as tasks get it. */
  Schedule snapshot() {
    return from(supersteps, 0);
  }

  /** Returns the schedule of blocks that begin at the last state. */
  Schedule fromLast() {
    return from(supersteps.after(last()), faces.size() - 1);
  }

  private Schedule from(Supersteps since, int skipped) {
    List<Kept> kept = faces.subList(skipped, faces.size());
    return new Schedule(
        since,
        coefficientFaces,
        kept.stream().mapToInt(Kept::start).toArray(),
        kept.stream().mapToInt(Kept::id).toArray(),
        loggedFrom,
        keepsAll);
  }

  /** Removes all faces. */
  void close() {
    remove.accept(coefficientFaces);
    faces.stream().filter(kept -> !kept.isGone()).forEach(kept -> remove.accept(kept.id()));
  }
}
