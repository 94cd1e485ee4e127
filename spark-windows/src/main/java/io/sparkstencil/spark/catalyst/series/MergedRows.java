/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The rows of sorted runs in one order, by a tree of losers: a row is compared once for each level,
 * with the loser of the match that was played there. Rows that tie come in the order of their runs.
 *
 * <pre>
 *            winner
 *              |
 *            loser            of the last match
 *           /     \
 *       loser     loser       of the first matches
 *       /   \     /   \
 *     run   run run   run
 * </pre>
 */
final class MergedRows extends AbstractIterator<InternalRow> {
  /** Stands for a row before all others, until every run has played. */
  private static final int NONE = -1;

  private final List<Iterator<InternalRow>> runs;
  private final Comparator<InternalRow> order;
  private final InternalRow[] heads; // the next row of each run, or null after its last
  private final int[] losers; // runs; first of all the winner
  private boolean taken; // whether the winner's head has been returned

  /**
   * Merges runs.
   *
   * @param runs at least one; each row is valid until the next of its run is asked for
   * @param order the order that each run is in
   */
  MergedRows(List<Iterator<InternalRow>> runs, Comparator<InternalRow> order) {
    this.runs = runs;
    this.order = order;
    this.heads = new InternalRow[runs.size()];
    this.losers = new int[runs.size()];
    Arrays.fill(losers, NONE);
    for (int run = 0; run < heads.length; run++) {
      advance(run);
    }
  }

  /** Reads the next row of a run, and plays its matches. */
  private void advance(int run) {
    Iterator<InternalRow> rows = runs.get(run);
    heads[run] = rows.hasNext() ? rows.next() : null;
    int winner = run;
    for (int match = (run + heads.length) / 2; match > 0; match /= 2) {
      int other = losers[match];
      if (wins(other, winner)) {
        losers[match] = winner;
        winner = other;
      }
    }
    losers[0] = winner;
  }

  private boolean wins(int a, int b) {
    if (a == NONE || b == NONE) {
      return a == NONE;
    } else if (heads[a] == null || heads[b] == null) {
      return heads[a] != null;
    }
    int compared = order.compare(heads[a], heads[b]);
    return compared < 0 || (compared == 0 && a < b);
  }

  @Override
  public boolean hasNext() {
    if (taken) {
      taken = false;
      advance(losers[0]);
    }
    return heads[losers[0]] != null;
  }

  /** Returns the next row, which is there until another is asked for. */
  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    taken = true;
    return heads[losers[0]];
  }
}
