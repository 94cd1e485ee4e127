/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Segment;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Turns consecutive blocks of one series into chunks, and the results of chunks into blocks of the
 * same lengths.
 *
 * @param <R> the blocks of results, primitive arrays
 */
public final class BlockChunks<R> {
  private final StagePlan plan;
  private final ElementType cells;
  private final ElementType type; // of the results
  private final Class<R> results;
  private final Iterator<?> blocks;
  private final ChunkBuilder builder;
  private final ArrayDeque<Integer> lengths = new ArrayDeque<>(); // of the blocks underway
  private Object block;
  private int taken; // cells of it that have been added
  private boolean ended;

  /**
   * Creates the chunks of one stencil.
   *
   * @param cells the type of the blocks' cells
   */
  public BlockChunks(StagePlan plan, ElementType cells, Class<R> results, Iterator<?> blocks) {
    this.plan = plan;
    this.cells = cells;
    this.type = plan.columns().get(0).type();
    this.results = results;
    this.blocks = blocks;
    this.builder = new ChunkBuilder(plan, false);
  }

  /** Returns the chunks. */
  public Iterator<SeriesChunk<Void>> chunks() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !ended;
      }

      @Override
      public SeriesChunk<Void> next() {
        if (ended) {
          throw new NoSuchElementException();
        }
        return nextChunk();
      }
    };
  }

  private SeriesChunk<Void> nextChunk() {
    while (block != null || blocks.hasNext()) {
      if (block == null) {
        block = blocks.next();
        cells.requireArray(block);
        taken = 0;
        lengths.add(Array.getLength(block));
      }
      int rest = Array.getLength(block) - taken;
      int count = builder.room() == 0 ? rest : Math.min(rest, builder.room());
      builder.columns()[0].addArray(block, taken, count);
      taken += count;
      if (taken == Array.getLength(block)) {
        block = null;
      }
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, null);
      }
    }
    ended = true;
    return builder.finish(null);
  }

  /** Returns the results of finished chunks as blocks. */
  public Iterator<R> blocks(Iterator<SeriesChunk<Void>> finished) {
    return new Iterator<>() {
      private SeriesChunk<Void> chunk;
      private int piece;
      private int used; // results of the piece that have been taken

      @Override
      public boolean hasNext() {
        while (lengths.isEmpty() && finished.hasNext()) {
          chunk = finished.next();
          piece = 0;
          used = 0;
        }
        return !lengths.isEmpty();
      }

      @Override
      public R next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        int length = lengths.remove();
        Object filling = type.newArray(length);
        byte[] there = new byte[length];
        for (int filled = 0; filled < length; ) {
          while (chunk == null || piece == chunk.pieces()) {
            chunk = finished.next();
            piece = 0;
            used = 0;
          }
          Segment<Void> segment = chunk.segment(0, piece);
          int count = Math.min(length - filled, segment.length() - used);
          System.arraycopy(segment.result(0, type), used, filling, filled, count);
          byte[] validity = segment.resultValidity(0);
          if (validity == null) {
            Arrays.fill(there, filled, filled + count, (byte) 1);
          } else {
            System.arraycopy(validity, used, there, filled, count);
          }
          filled += count;
          used += count;
          if (used == segment.length()) {
            piece++;
            used = 0;
          }
        }
        return results.cast(finish(filling, there));
      }
    };
  }

  /** Cuts off or marks the results that are not there. */
  private Object finish(Object block, byte[] there) {
    int present = 0;
    for (byte each : there) {
      present += each;
    }
    if (present == there.length) {
      return block;
    }
    boolean cut = plan.pipelines().get(0).boundary().mode() == Boundary.Mode.VALID;
    int kept = 0;
    for (int i = 0; i < there.length; i++) {
      if (there[i] == 1 || !cut) {
        if (there[i] == 0 && type.isFloating()) {
          Array.set(block, i, type == ElementType.F32 ? (Object) Float.NaN : Double.NaN);
        }
        System.arraycopy(block, i, block, kept++, 1);
      }
    }
    if (kept == there.length) {
      return block;
    }
    Object shorter = type.newArray(kept);
    System.arraycopy(block, 0, shorter, 0, kept);
    return shorter;
  }
}
