/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an array's metadata say, in either version.
 *
 * @param grid the array's shape and chunks
 * @param type the type of cells
 * @param fill what cells in chunks that are not stored have
 * @param fillIsMissing whether that number stands for missing values in other chunks, too
 * @param keys the names of the files of chunks
 * @param codecs what chunks go through before they are stored
 * @param dimensionNames a name for each axis, or nothing; an axis without a name has an empty one
 * @param attributes what users said of the array
 */
record ArrayMetadata(
    ChunkGrid grid,
    CellType type,
    FillValue fill,
    boolean fillIsMissing,
    ChunkKeys keys,
    CodecChain codecs,
    List<String> dimensionNames,
    Map<String, Object> attributes) {

  /** Returns the failure of reading cells of a type. */
  static FieldFileException unsupportedType(ZarrJson type) {
    String name = type.node().isTextual() ? type.node().textValue() : "";
    return type.unsupported(
        "the data type", CellType.remedy(name, "store cells as float32 or float64"));
  }

  /** Returns the shape and the chunks that metadata say, checked. */
  static ChunkGrid grid(ZarrJson shape, ZarrJson chunks) {
    List<Long> sizes = shape.integers();
    FieldChecks.requireStored(sizes, shape.place());
    Extent extent = extent(chunks);
    if (extent.dimensions() != sizes.size()) {
      throw chunks.broken("one size for each of %d axes".formatted(sizes.size()));
    }
    return new ChunkGrid(sizes, extent);
  }

  /** Returns the sizes of a chunk, whose bytes an array can hold. */
  static Extent extent(ZarrJson chunks) {
    List<Integer> sizes = new ArrayList<>();
    for (ZarrJson size : chunks.list()) {
      long cells = size.integer();
      if (cells < 1 || cells > Integer.MAX_VALUE) {
        throw size.broken("1 to %d cells".formatted(Integer.MAX_VALUE));
      }
      sizes.add((int) cells);
    }
    try {
      Extent extent = new Extent(sizes);
      if (sizes.isEmpty() || extent.cells() > Integer.MAX_VALUE / Double.BYTES) {
        throw chunks.unsupported("chunks of 2 GiB and more:", "store smaller chunks");
      }
      return extent;
    } catch (InvalidStencilException e) {
      throw chunks.unsupported("chunks of 2 GiB and more:", "store smaller chunks");
    }
  }
}
