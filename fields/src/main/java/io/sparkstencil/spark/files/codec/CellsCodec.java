/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import java.io.IOException;
import java.io.Serializable;

/** A codec that makes bytes of cells. */
public sealed interface CellsCodec extends Serializable permits PlainCells, Shards {
  /**
   * Returns cells of a chunk.
   *
   * @param stored the chunk's bytes
   * @param chunk the cells of the chunk along each axis
   * @param box the cells that are wanted, by their positions in the chunk
   * @param read the cells that come out, and those that are not stored
   * @return a new dense array of the box's cells
   * @throws IOException if the bytes were not made by this codec; the message says what is wrong
   */
  Object decode(ChunkBytes stored, Extent chunk, Box box, ReadAs read) throws IOException;
}
