/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import java.io.Serializable;
import java.util.List;

/**
 * Where blocks are, or should be, when a job begins.
 *
 * @param executors all of them, as preferred locations
 * @param of for each block, the index of its executor
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Places(List<String> executors, int[] of) implements Serializable {
  /** Returns the places of blocks that are at some locations. */
  public static Places of(List<String> locations) {
    List<String> executors = locations.stream().distinct().toList();
    return new Places(executors, locations.stream().mapToInt(executors::indexOf).toArray());
  }

  /** Returns the executor of a block. */
  String executor(int block) {
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
        before += other < block ? 1 : 0;
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
    String there = executor(block);
    return !there.equals(here) && BlockBytes.hostOf(there).equals(BlockBytes.hostOf(here));
  }
}
