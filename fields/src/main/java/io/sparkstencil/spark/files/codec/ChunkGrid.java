/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The regular chunks of an array. Those at its ends may reach beyond it.
 *
 * @param shape the array's cells along each axis
 * @param chunk the cells of each chunk
 */
public record ChunkGrid(List<Long> shape, Extent chunk) {
  /** Returns the chunks of an array in memory. */
  static ChunkGrid of(Extent whole, Extent chunk) {
    return new ChunkGrid(whole.sizes().stream().map(Integer::longValue).toList(), chunk);
  }

  /** Returns the number of chunks along an axis. */
  public long count(int axis) {
    return (shape.get(axis) - 1) / chunk.size(axis) + 1;
  }

  /** Returns the number of chunks. */
  public long count() {
    long count = 1;
    for (int axis = 0; axis < shape.size(); axis++) {
      count *= count(axis);
    }
    return count;
  }

  /** Returns the place of a chunk in the order of chunks, slowest axis first. */
  long index(Box box) {
    long index = 0;
    List<Long> key = key(box);
    for (int axis = 0; axis < shape.size(); axis++) {
      index = index * count(axis) + key.get(axis);
    }
    return index;
  }

  /** Returns the number of a chunk along each axis. */
  public List<Long> key(Box box) {
    List<Long> key = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      key.add(box.start(axis) / chunk.size(axis));
    }
    return key;
  }

  /** Returns the chunks that have cells in a box, one after another: there may be very many. */
  public Iterable<Box> touching(Box box) {
    int axes = shape.size();
    long[] first = new long[axes];
    long[] counts = new long[axes];
    long all = 1;
    for (int axis = 0; axis < axes; axis++) {
      first[axis] = box.start(axis) / chunk.size(axis);
      counts[axis] = (box.end(axis) - 1) / chunk.size(axis) - first[axis] + 1;
      all *= counts[axis];
    }
    long count = all;
    return () ->
        new Iterator<>() {
          private long next;

          @Override
          public boolean hasNext() {
            return next < count;
          }

          @Override
          public Box next() {
            return chunk(first, counts, next++);
          }
        };
  }

  private Box chunk(long[] first, long[] counts, long number) {
    List<Long> origin = new ArrayList<>();
    long rest = number;
    for (int axis = counts.length - 1; axis >= 0; axis--) {
      origin.add(0, (first[axis] + rest % counts[axis]) * chunk.size(axis));
      rest /= counts[axis];
    }
    return new Box(origin, chunk);
  }
}
