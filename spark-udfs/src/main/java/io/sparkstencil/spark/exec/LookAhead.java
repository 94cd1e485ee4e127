/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.spark.plugin.PartitionWork;
import java.util.Iterator;

/**
 * Chunks of a task, the first of which has been looked at: if it is the only one, the size of the
 * task's work is known before the work begins.
 *
 * @param <P> what the caller keeps for the rows of a chunk
 */
public final class LookAhead<P> implements Iterator<SeriesChunk<P>> {
  /** A chunk of so many rows is taken for one of many. */
  private static final int MANY_ROWS = 1 << 15;

  private final Iterator<SeriesChunk<P>> chunks;
  private final long cells;
  private SeriesChunk<P> first;

  /** Reads the first chunk, if there is one. */
  public LookAhead(Iterator<SeriesChunk<P>> chunks) {
    this.chunks = chunks;
    this.first = chunks.hasNext() ? chunks.next() : null;
    if (first == null) {
      cells = 0;
    } else {
      boolean many = first.rows() >= MANY_ROWS || chunks.hasNext();
      cells = many ? PartitionWork.UNKNOWN_CELLS : first.rows();
    }
  }

  /** Returns the cells of each staged column, or that their number is unknown. */
  public long cells() {
    return cells;
  }

  @Override
  public boolean hasNext() {
    return first != null || chunks.hasNext();
  }

  @Override
  public SeriesChunk<P> next() {
    SeriesChunk<P> chunk = first;
    if (chunk == null) {
      return chunks.next();
    }
    first = null;
    return chunk;
  }
}
