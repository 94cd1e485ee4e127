/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Cuts rows into chunks: cells go into staged columns, the rows themselves into pages. */
public final class RowChunks implements Iterator<SeriesChunk<RowChunks.Rows>> {
  /** Bytes of rows above which a chunk is cut early. */
  private static final long CROWDED_BYTES = 8L << 20;

  /**
   * The rows of a chunk that the result has.
   *
   * @param block copies of them
   * @param emitted where they are in the chunk
   */
  public record Rows(RowBlock block, EmittedRows emitted) {}

  private final RowSource source;
  private final CellReader cells;
  private final ChunkBuilder builder;
  private final RowPages pages;
  private final RowRanges emitted = new RowRanges();
  private RowBlock block;
  private long read; // rows so far
  private boolean ended;

  /**
   * Cuts the rows of a source.
   *
   * @param cells what reads the cells of a row
   * @param builder where the cells go
   * @param pages memory for the rows, which the chunks own until their results are out
   */
  public RowChunks(RowSource source, CellReader cells, ChunkBuilder builder, RowPages pages) {
    this.source = source;
    this.cells = cells;
    this.builder = builder;
    this.pages = pages;
    this.block = pages.newBlock();
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<Rows> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (source.advance()) {
      if (source.startsSeries()) {
        builder.endSeries();
      }
      if (source.isEmitted()) {
        emitted.add(read, read + 1);
        block.add(source.row());
      }
      read++;
      cells.read(source.row(), builder.columns());
      int at = builder.cutPoint(block.bytes() > CROWDED_BYTES);
      if (at > 0) {
        return cut(at);
      }
    }
    ended = true;
    return builder.finish(new Rows(block, emitted.cut(builder.rows())));
  }

  private SeriesChunk<Rows> cut(int at) {
    Rows rows = new Rows(block, emitted.cut(at));
    block = pages.newBlock();
    int kept = rows.emitted().rows();
    if (rows.block().rows() > kept) {
      rows.block().moveTail(kept, block);
    }
    return builder.cut(at, rows);
  }
}
