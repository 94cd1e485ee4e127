/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import java.util.Arrays;

/** Sends rows with equal keys to the same partition. */
final class KeyRouter implements ColumnRouter {
  private final int[] keys;
  private final int partitions;
  private long[] hashes = new long[0];

  KeyRouter(SeriesLayout layout, int partitions) {
    this.keys = layout.keys();
    this.partitions = partitions;
  }

  @Override
  public void route(WordBatch batch, int[] targets) {
    int rows = batch.rows();
    if (hashes.length < rows) {
      hashes = new long[rows];
    }
    Arrays.fill(hashes, 0, rows, 0);
    for (int key : keys) {
      SeriesNumbers.hash(batch, key, hashes);
    }
    for (int i = 0; i < rows; i++) {
      targets[i] = partition(hashes[i], partitions);
    }
  }

  /** Returns the partition of rows whose keys have a hash. */
  static int partition(long hash, int partitions) {
    return (int) (((SeriesNumbers.mixed(hash) >>> Integer.SIZE) * partitions) >>> Integer.SIZE);
  }
}
