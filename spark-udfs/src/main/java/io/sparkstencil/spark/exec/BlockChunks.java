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
 * @param <A> the blocks, primitive arrays
 */
public final class BlockChunks<A> {
  private final StagePlan plan;
  private final ElementType type;
  private final Class<A> arrays;
  private final Iterator<A> blocks;
  private final ChunkBuilder builder;
  private final ArrayDeque<Integer> lengths = new ArrayDeque<>(); // of the blocks underway
  private A block;
  private int taken; // cells of it that have been added
  private boolean ended;

  /** Creates chunks of one stencil over cells as they are. */
  public BlockChunks(StagePlan plan, Class<A> arrays, Iterator<A> blocks) {
    this.plan = plan;
    this.type = plan.columns().get(0).type();
    this.arrays = arrays;
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

  private A requireArray(Object array) {
    type.requireArray(array);
    return arrays.cast(array);
  }

  private SeriesChunk<Void> nextChunk() {
    while (block != null || blocks.hasNext()) {
      if (block == null) {
        block = requireArray(blocks.next());
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
  public Iterator<A> blocks(Iterator<SeriesChunk<Void>> finished) {
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
      public A next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        int length = lengths.remove();
        Object results = type.newArray(length);
        byte[] there = new byte[length];
        for (int filled = 0; filled < length; ) {
          while (chunk == null || piece == chunk.pieces()) {
            chunk = finished.next();
            piece = 0;
            used = 0;
          }
          Segment<Void> segment = chunk.segment(0, piece);
          int count = Math.min(length - filled, segment.length() - used);
          System.arraycopy(segment.result(0, type), used, results, filled, count);
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
        return arrays.cast(finish(results, there));
      }
    };
  }

  /** Cuts off or marks the results that are not there. */
  private Object finish(Object results, byte[] there) {
    int present = 0;
    for (byte each : there) {
      present += each;
    }
    if (present == there.length) {
      return results;
    }
    boolean cut = plan.pipelines().get(0).boundary().mode() == Boundary.Mode.VALID;
    int kept = 0;
    for (int i = 0; i < there.length; i++) {
      if (there[i] == 1 || !cut) {
        if (there[i] == 0 && type.isFloating()) {
          Array.set(results, i, type == ElementType.F32 ? (Object) Float.NaN : Double.NaN);
        }
        System.arraycopy(results, i, results, kept++, 1);
      }
    }
    if (kept == there.length) {
      return results;
    }
    Object shorter = type.newArray(kept);
    System.arraycopy(results, 0, shorter, 0, kept);
    return shorter;
  }
}
