/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.util.CollectionAccumulator;
import scala.Option;

/**
 * What map tasks send to the driver, one note each, which comes as the task finishes. A task that
 * fails brings none. Where two of the same partition bring theirs, they are equal, unless the rows
 * below need not come again as they were: then Spark runs all tasks of the stage again, and the
 * notes of the last attempt of the stage are taken, which has written what is read.
 *
 * @param <T> a note, which must be serializable
 */
public final class MapNotes<T> {
  /**
   * The note of one map task.
   *
   * @param map the partition that the task read
   * @param attempt how often the task's stage had been attempted before
   */
  private record Noted<T>(int map, int attempt, T note) implements Serializable {
    static <T> Noted<T> later(Noted<T> one, Noted<T> other) {
      return other.attempt > one.attempt ? other : one;
    }
  }

  /** Takes the notes of tasks. */
  public static final class Target<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final CollectionAccumulator<Noted<T>> found = new CollectionAccumulator<>();

    private Target() {}

    /** Takes the note of the running task, which has read partition {@code map}. */
    public void add(int map, T note) {
      found.add(new Noted<>(map, TaskContext.get().stageAttemptNumber(), note));
    }
  }

  private final Target<T> target = new Target<>();

  /** Creates notes of no task yet. */
  public MapNotes(SparkContext context) {
    target.found.register(context, Option.empty(), false);
  }

  /** Returns what tasks give their notes to. */
  public Target<T> target() {
    return target;
  }

  /** Returns the note of every map task, once the tasks have run. */
  public List<T> all() {
    Map<Integer, Noted<T>> byMap = new LinkedHashMap<>();
    target.found.value().forEach(each -> byMap.merge(each.map(), each, Noted::later));
    return byMap.values().stream().map(Noted::note).toList();
  }
}
