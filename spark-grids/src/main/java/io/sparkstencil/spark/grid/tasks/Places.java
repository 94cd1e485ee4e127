/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import java.io.Serializable;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where blocks are, or should be, when a job begins.
 *
 * @param executors all of them, as preferred locations
 * @param of for each block, the index of its executor
 * @param ranks for each block, its number in an order in which neighbours are near each other
 * @param readers the blocks that are known to read what blocks of other processes of the host share
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Places(List<String> executors, int[] of, int[] ranks, BitSet readers)
    implements Serializable {
  /** A block is at most so many states ahead of one that it gives faces and takes none of. */
  public static final int MOST_AHEAD = 15;

  /** Returns the places of blocks that are at some locations; none is known to read. */
  public static Places of(List<String> locations) {
    return of(locations, IntStream.range(0, locations.size()).toArray(), new BitSet());
  }

  /** Returns the places of blocks that are at some locations. */
  public static Places of(List<String> locations, int[] ranks, BitSet readers) {
    List<String> executors = locations.stream().distinct().toList();
    int[] of = locations.stream().mapToInt(executors::indexOf).toArray();
    return new Places(executors, of, ranks, readers);
  }

  /** Returns the executor of a block. */
  public String executor(int block) {
    return executors.get(of[block]);
  }

  /**
   * Returns where a block is among those of its executor, from 0 to less than 1: blocks that are
   * near each other are neighbours.
   */
  double share(int block) {
    int before = 0;
    int all = 0;
    for (int other = 0; other < of.length; other++) {
      if (of[other] == of[block]) {
        all++;
        before += ranks[other] < ranks[block] ? 1 : 0;
      }
    }
    return (before + 0.5) / all;
  }

  /**
   * Returns whether a block is in another process of the same host.
   *
   * @param here the executor that asks
   */
  boolean isBeside(int block, String here) {
    return areBeside(executor(block), here);
  }

  /** Returns whether two executors are processes of one host. */
  public static boolean areBeside(String executor, String other) {
    return !executor.equals(other) && BlockBytes.hostOf(executor).equals(BlockBytes.hostOf(other));
  }
}
