/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceKeeper;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Faces that are kept on the heap, by an engine that stands for one with a device. */
final class HeapKeeper implements FaceKeeper {
  private final BlockFields fields;
  private final ExtendedBlock taker;
  private final int count;
  private final SortedMap<Integer, ByteBuffer> kept = new TreeMap<>(); // guarded by this

  HeapKeeper(BlockFields fields, ExtendedBlock taker, int count) {
    this.fields = fields;
    this.taker = taker;
    this.count = count;
  }

  @Override
  public synchronized boolean keep(int state) {
    kept.put(state, fields.pack(taker, 0, count));
    return true;
  }

  @Override
  public synchronized Optional<ByteBuffer> get(int state) {
    return Optional.ofNullable(kept.get(state)).map(ByteBuffer::duplicate);
  }

  @Override
  public synchronized long keptBytes() {
    return kept.values().stream().mapToLong(ByteBuffer::remaining).sum();
  }

  @Override
  public synchronized void giveUpBefore(int state) {
    kept.headMap(state).clear();
  }
}
