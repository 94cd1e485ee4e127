/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The index of chunks of arrays with several growing axes: records in a tree.
 *
 * @param entries all chunks
 */
record ChunkRecords(Map<List<Long>, Entry> entries) implements ChunkIndex {
  private static final int MOST_CHUNKS = 1 << 20;

  static ChunkRecords read(
      Storage storage, long address, int axes, boolean filtered, long chunkBytes)
      throws IOException {
    Map<List<Long>, Entry> entries = new HashMap<>();
    for (ByteBuffer record : RecordTree.all(storage, address, filtered ? 11 : 10, MOST_CHUNKS)) {
      int sizeBytes = record.limit() - storage.offsetBytes() - 4 - Long.BYTES * axes;
      long at = storage.offset(record);
      long bytes = filtered ? Storage.unsigned(record, sizeBytes) : chunkBytes;
      int skipped = filtered ? record.getInt() : 0;
      List<Long> key = new ArrayList<>();
      for (int axis = 0; axis < axes; axis++) {
        key.add(record.getLong());
      }
      entries.put(List.copyOf(key), new Entry(at, bytes, skipped));
    }
    return new ChunkRecords(entries);
  }

  @Override
  public Optional<Entry> find(List<Long> key) {
    return Optional.ofNullable(entries.get(key));
  }
}
