/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tells where the chunks of an array lie. */
interface ChunkIndex {
  /**
   * A chunk.
   *
   * @param address where it lies
   * @param bytes how many are stored
   * @param skipped a bit for each filter that was not applied to this chunk
   */
  record Entry(long address, long bytes, int skipped) {}

  /** Returns a chunk by its number along each axis, or nothing if it is not stored. */
  Optional<Entry> find(List<Long> key) throws IOException;
}
