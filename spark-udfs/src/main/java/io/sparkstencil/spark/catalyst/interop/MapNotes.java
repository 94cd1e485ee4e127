/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.util.CollectionAccumulator;
import scala.Option;

/**
 * What map tasks send to the driver, one note each, which comes as the task finishes. An attempt
 * that fails brings none; where two attempts of the same task bring theirs, they are equal, and one
 * is taken.
 *
 * @param <T> a note, which must be serializable
 */
public final class MapNotes<T> {
  /**
   * The note of one map task.
   *
   * @param map the partition that the task read; a task that runs again notes the same
   */
  private record Noted<T>(int map, T note) implements Serializable {}

  /** Takes the notes of tasks. */
  public static final class Target<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final CollectionAccumulator<Noted<T>> found = new CollectionAccumulator<>();

    private Target() {}

    /** Takes the note of the task that has read partition {@code map}. */
    public void add(int map, T note) {
      found.add(new Noted<>(map, note));
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
    Map<Integer, T> byMap = new LinkedHashMap<>();
    target.found.value().forEach(each -> byMap.putIfAbsent(each.map(), each.note()));
    return List.copyOf(byMap.values());
  }
}
