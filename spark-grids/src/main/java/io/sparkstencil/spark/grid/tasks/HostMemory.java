/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.BlockFile;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.spark.catalyst.interop.LocalFiles;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import java.util.Optional;

/** The heap that blocks of a grid have, and files for those without room. */
final class HostMemory {
  private final GridModel model;
  private final HeapShare heap;

  HostMemory(GridModel model, HeapShare heap) {
    this.model = model;
    this.heap = heap;
  }

  private long bytes(ExtendedBlock place) {
    return (long) place.extended().cells() * model.type().bytes() * model.fields();
  }

  /** Returns fields on the heap, or in a file if there is no room. */
  BlockFields fields(ExtendedBlock place) {
    long bytes = bytes(place);
    return heap.take(bytes)
        ? new BlockArrays(model.type(), place, model.fields(), () -> heap.give(bytes))
        : new BlockFile(
            LocalFiles.next(), model.plan(), place.block(), model.updated(), LocalFiles.keyBits());
  }

  /**
   * Takes a block out of its file, if there is room for it now: there was none while copies for a
   * checkpoint, or another grid, had it.
   */
  void lift(HeldBlock held) {
    long bytes = bytes(held.fields().place());
    if (held.fields() instanceof BlockFile file && heap.take(bytes)) {
      Optional<BlockFields> cells = Optional.empty();
      try {
        cells = file.lift(() -> heap.give(bytes));
      } finally {
        if (cells.isEmpty()) {
          heap.give(bytes);
        }
      }
      cells.ifPresent(held::move);
    }
  }
}
