/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * Copies the cells of blocks into the block managers of their executors, as the partitions of an
 * RDD of {@link Packed} cells.
 *
 * @param rdd the number of the RDD
 * @param fields the number of fields
 * @param isLast whether the blocks leave their executors
 */
public record SnapshotAction(int rdd, int fields, boolean isLast) implements BlockAction {
  @Override
  public Serializable apply(BlockFields block) {
    Box own = block.place().own();
    BlockCells cells =
        new BlockCells(IntStream.range(0, fields).mapToObj(i -> block.cells(i, own)).toList());
    PlacedRdd.keep(rdd, block.place().block(), Packed.of(cells), Packed.type());
    return null;
  }
}
