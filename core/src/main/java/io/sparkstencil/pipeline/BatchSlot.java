/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.cells.CellSink;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Items that go through the engines together, a batch for each staging, and their results. */
final class BatchSlot<K> implements ItemResults {
  /** Items with few cells or none do not fill a batch. */
  private static final int MAX_ITEMS = 8192;

  private final Batch[] batches;
  private final IntList[] lengths; // of segments, and notes
  private final IntList[] lengthEnds; // per item
  private final IntList[] pieceEnds; // per item
  private final List<K> kept = new ArrayList<>(); // of the items that end here
  private boolean begun;
  private int item;
  private int staging;
  private int next; // among the lengths
  private int piece; // of the segment at hand
  private int nextPiece;

  /** Creates a slot that owns {@code batches}, one for each staging. */
  BatchSlot(Batch[] batches) {
    this.batches = batches;
    this.lengths = lists(batches.length);
    this.lengthEnds = lists(batches.length);
    this.pieceEnds = lists(batches.length);
  }

  private static IntList[] lists(int count) {
    return Stream.generate(IntList::new).limit(count).toArray(IntList[]::new);
  }

  /**
   * Stages an item, or goes on staging it; false if it goes on in the next slot. {@code keep} comes
   * back with its results.
   */
  boolean tryAdd(ItemCells cells, K keep) {
    boolean first = !begun;
    if (kept.size() == MAX_ITEMS) {
      return false;
    }
    for (Batch batch : batches) {
      if (!batch.admits(cells, first)) {
        return false;
      }
    }
    begun = true;
    boolean whole = true;
    for (Batch batch : batches) {
      whole &= batch.stage(cells);
    }
    if (!whole) {
      return false;
    }
    for (int i = 0; i < batches.length; i++) {
      lengths[i].addAll(cells.input(batches[i].staging().input()).lengths());
      lengthEnds[i].add(lengths[i].size());
      pieceEnds[i].add(batches[i].pieces());
    }
    kept.add(keep);
    return true;
  }

  /** Starts the batches; false if there is nothing in them. */
  boolean submit() {
    for (int i = 0; i < batches.length && begun; i++) {
      batches[i].submit();
    }
    return begun;
  }

  // streams would be garbage for each batch
  boolean isDone() {
    for (Batch batch : batches) {
      if (!batch.isDone()) {
        return false;
      }
    }
    return true;
  }

  void awaitAndUnstage() {
    for (Batch batch : batches) {
      batch.awaitAndUnstage();
    }
    item = -1;
  }

  /** Moves to the next item that ends here; false after the last. */
  boolean nextItem() {
    item++;
    return item < kept.size();
  }

  K kept() {
    return kept.get(item);
  }

  void clear() {
    kept.clear();
    begun = false;
    for (int i = 0; i < batches.length; i++) {
      batches[i].clear();
      lengths[i].clear();
      lengthEnds[i].clear();
      pieceEnds[i].clear();
    }
  }

  long outputCells() {
    long cells = 0;
    for (Batch batch : batches) {
      cells += batch.outputCells();
    }
    return cells;
  }

  @Override
  public void begin(int index) {
    staging = index;
    next = item == 0 ? 0 : lengthEnds[index].get(item - 1);
    nextPiece = item == 0 ? 0 : pieceEnds[index].get(item - 1);
  }

  @Override
  public int next() {
    int length = lengths[staging].get(next++);
    piece = nextPiece;
    Staging what = batches[staging].staging();
    boolean isStaged = what.steps() == 1 ? what.results(length) > 0 : length > 0;
    nextPiece += isStaged ? 1 : 0;
    return length;
  }

  @Override
  public int firstResult() {
    return batches[staging].firstResult();
  }

  @Override
  public byte[] validity(int output) {
    return batches[staging].resultValidity(output, piece);
  }

  @Override
  public void copy(int output, int from, int count, CellSink sink) {
    batches[staging].copyResults(output, piece, from - firstResult(), count, sink);
  }
}
