/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.CellSink;
import io.sparkstencil.model.ElementType;
import org.apache.spark.unsafe.Platform;

/**
 * A place in Spark's memory, addressed as {@link Platform} does, to which results are copied: at
 * once where an engine's memory can be addressed, a small part at a time elsewhere.
 */
final class MemorySink implements CellSink {
  private Object chunk;
  private Object base;
  private long offset;

  /** Points to where the first of the next results goes. */
  void set(Object newBase, long newOffset) {
    base = newBase;
    offset = newOffset;
  }

  @Override
  public void take(CellBuffer results, int at, int count) {
    ElementType type = results.type();
    long from = MemoryCells.offsetOf(results, at);
    if (from != 0) {
      Platform.copyMemory(
          MemoryCells.baseOf(results), from, base, offset, (long) count * type.bytes());
      return;
    }
    if (chunk == null || chunk.getClass() != type.newArray(0).getClass()) {
      chunk = type.newArray(MemoryCells.CHUNK_CELLS);
    }
    for (int done = 0; done < count; done += MemoryCells.CHUNK_CELLS) {
      int part = Math.min(MemoryCells.CHUNK_CELLS, count - done);
      results.read(at + done, chunk, 0, part);
      Platform.copyMemory(
          chunk,
          MemoryCells.arrayOffset(type),
          base,
          offset + (long) done * type.bytes(),
          (long) part * type.bytes());
    }
  }
}
