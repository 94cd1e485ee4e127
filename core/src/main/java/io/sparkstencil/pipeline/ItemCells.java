/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.segment.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The segments of one item (a row with arrays, a chunk of rows, a block), as its source finds them,
 * and how much of them has been staged. Reused for every item.
 */
public final class ItemCells {
  /** The segments of one input. */
  static final class Input {
    private final List<Segment<?>> segments = new ArrayList<>();
    private final IntList lengths = new IntList(); // and notes
    private int longest;
    private boolean keepsResults;
    private boolean whole;

    /** Returns the lengths of the segments and, between them, the notes of the source. */
    IntList lengths() {
      return lengths;
    }

    /** Returns the cells of the longest series, or {@link ShortSeries#ANY_LENGTH}. */
    int longest() {
      return longest;
    }

    /** Tells whether every segment is a series of its own. */
    boolean areWhole() {
      return whole;
    }

    /** Tells whether any cell may be null. */
    boolean hasNulls() {
      for (int i = 0; i < segments.size(); i++) { // without an iterator for each row
        if (segments.get(i).hasNulls()) {
          return true;
        }
      }
      return false;
    }

    /** Tells whether the segments keep their results, so that they may be cut over batches. */
    boolean keepsResults() {
      return keepsResults;
    }
  }

  private final Input[] inputs;
  private final int[] segment; // next to be staged, for each staging
  private final int[] staged; // results of it that have been

  ItemCells(int inputs, int stagings) {
    this.inputs = Stream.generate(Input::new).limit(inputs).toArray(Input[]::new);
    segment = new int[stagings];
    staged = new int[stagings];
  }

  void clear() {
    for (Input input : inputs) {
      input.segments.clear();
      input.lengths.clear();
      input.longest = 0;
      input.keepsResults = false;
      input.whole = true;
    }
    Arrays.fill(segment, 0);
    Arrays.fill(staged, 0);
  }

  /** Adds the next segment of an input, which is a series of its own or a part of a long one. */
  public void add(int index, Segment<?> next) {
    add(index, next, isWhole(next) ? next.length() : ShortSeries.ANY_LENGTH);
  }

  private static boolean isWhole(Segment<?> segment) {
    return segment.left() == null && segment.right() == null;
  }

  /**
   * Adds the next segment of an input.
   *
   * @param seriesCells the most cells that its series has, or {@link ShortSeries#ANY_LENGTH}
   */
  public void add(int index, Segment<?> next, int seriesCells) {
    Input input = inputs[index];
    input.segments.add(next);
    input.lengths.add(next.length());
    input.longest = Math.max(input.longest, seriesCells);
    input.keepsResults |= next.resultCount() > 0;
    input.whole &= isWhole(next);
  }

  /** Adds a number below 0, which comes back between the lengths of the segments. */
  public void note(int index, int note) {
    inputs[index].lengths.add(note);
  }

  Input input(int index) {
    return inputs[index];
  }

  /** Returns the segment that a staging is at, or null after the last. */
  Segment<?> current(int staging, int input) {
    List<Segment<?>> all = inputs[input].segments;
    return segment[staging] < all.size() ? all.get(segment[staging]) : null;
  }

  /** Returns how many results of the current segment have been staged. */
  int staged(int staging) {
    return staged[staging];
  }

  /** Goes on in the current segment. */
  void advance(int staging, int results) {
    staged[staging] += results;
  }

  /** Goes to the next segment. */
  void finish(int staging) {
    segment[staging]++;
    staged[staging] = 0;
  }

  /** Returns the staged cells that all segments of an input take with halos of that many cells. */
  long stagedCells(Staging staging, int halos) {
    Input input = inputs[staging.input()];
    long cells = 0;
    for (int i = 0; i < input.segments.size(); i++) {
      int length = input.segments.get(i).length();
      int results = staging.steps() == 1 ? staging.results(length) : length;
      cells += results == 0 ? 0 : (long) results + halos;
    }
    return cells;
  }
}
