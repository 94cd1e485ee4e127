/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.MapNotes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Notes that map tasks take of each range while they write its rows.
 *
 * @param <T> what is sent to the driver of a range
 */
final class RangeNotes<T extends Serializable> {
  /** What one task notes of one range. */
  interface Note<T> {
    /**
     * Considers rows that are about to be written together.
     *
     * @param row pointed to the rows
     */
    void add(OpenRows rows, UnsafeRow row);

    /** Returns what has been noted, as it is sent to the driver. */
    T packed();
  }

  /** Makes the notes of one task. */
  interface Notebook<T> extends Serializable {
    /** Returns what opens a note for each range that the task has rows of. */
    Supplier<Note<T>> open();
  }

  private final MapNotes<List<T>> notes; // of each range, null where a task has no rows of it
  private List<List<T>> byMap; // read by operators in several threads

  RangeNotes(SparkContext context) {
    this.notes = new MapNotes<>(context);
  }

  /**
   * Returns what takes notes.
   *
   * @param fields how many columns the rows have
   */
  RangeFinder.Factory noting(int ranges, int fields, Notebook<T> notebook) {
    MapNotes.Target<List<T>> target = notes.target();
    return map -> new Noting<>(map, ranges, fields, notebook.open(), target);
  }

  /** Returns the notes of every map task, that of one attempt each, once the tasks have run. */
  synchronized List<List<T>> byMap() {
    if (byMap == null) {
      byMap = notes.all();
    }
    return byMap;
  }

  /** Takes notes within a task, and gives them away after the last row. */
  private static final class Noting<T> implements RangeFinder.InTask {
    private final int map;
    private final Supplier<Note<T>> opening;
    private final MapNotes.Target<List<T>> target;
    private final List<Note<T>> notes = new ArrayList<>(); // null where there are no rows
    private final UnsafeRow row;

    Noting(
        int map,
        int ranges,
        int fields,
        Supplier<Note<T>> opening,
        MapNotes.Target<List<T>> target) {
      this.map = map;
      this.opening = opening;
      this.target = target;
      this.row = new UnsafeRow(fields);
      for (int i = 0; i < ranges; i++) {
        notes.add(null);
      }
    }

    @Override
    public void writes(int range, OpenRows rows) {
      Note<T> note = notes.get(range);
      if (note == null) {
        note = opening.get();
        notes.set(range, note);
      }
      note.add(rows, row);
    }

    @Override
    public void finish() {
      List<T> packed = new ArrayList<>();
      notes.forEach(note -> packed.add(note == null ? null : note.packed()));
      target.add(map, packed);
    }
  }
}
