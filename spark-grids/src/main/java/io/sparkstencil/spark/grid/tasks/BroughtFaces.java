/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Faces that a block keeps near its fields and that were copied to the block manager for those who
 * come back: they are not needed there any more when these are past them.
 */
final class BroughtFaces implements HeldBlock.OfCells {
  private final NavigableMap<Integer, List<Put>> puts = new TreeMap<>(); // by state

  /** Notes what was copied. */
  synchronized void add(int state, List<Put> copied) {
    puts.merge(state, copied, (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
  }

  /** Removes copies of states before one. */
  synchronized void removeBefore(int state) {
    SortedMap<Integer, List<Put>> gone = puts.headMap(state);
    gone.values()
        .forEach(each -> each.forEach(put -> BlockBytes.removeHere(put.id(), put.index())));
    gone.clear();
  }

  /** What was kept near the fields is gone: copies are all that there is. */
  @Override
  public synchronized void cellsAreGone() {
    puts.clear();
  }
}
