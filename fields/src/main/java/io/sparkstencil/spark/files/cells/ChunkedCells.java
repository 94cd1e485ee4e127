/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Cells in chunks, which lie anywhere in a file.
 *
 * @param bytes the file
 * @param grid the array's shape and chunks
 * @param places tells where chunks lie
 */
public record ChunkedCells(ChunkBytes bytes, ChunkGrid grid, Places places) implements StoredCells {
  /** As a chunk is read, as it is decoded, and as its cells are. */
  private static final long STAGES_OF_A_CHUNK = 3;

  /** Tells where chunks lie. */
  @FunctionalInterface
  public interface Places {
    /**
     * Returns where a chunk lies, or nothing if it is not stored.
     *
     * @param key its number along each axis
     */
    Optional<ChunkPlace> find(List<Long> key) throws IOException;
  }

  /**
   * Where a chunk lies.
   *
   * @param start of its first byte in the file
   * @param length the number of its bytes
   * @param extent the cells that are stored: fewer than those of other chunks where the array ends
   * @param codecs what was done to them
   */
  public record ChunkPlace(long start, long length, Extent extent, CodecChain codecs) {}

  @Override
  public Object read(Box box, ReadAs read) throws IOException {
    Object cells = null;
    for (Box chunk : grid.touching(box)) {
      Box part = chunk.intersect(box).orElseThrow();
      Object found = readChunk(chunk, part, read);
      if (part.equals(box)) {
        return found;
      }
      cells = cells == null ? read.type().newArray(box.cells()) : cells;
      CellBoxes.copy(found, part, cells, box, part);
    }
    return cells;
  }

  private Object readChunk(Box chunk, Box part, ReadAs read) throws IOException {
    List<Long> key = grid.key(chunk);
    Optional<ChunkPlace> found = places.find(key);
    if (found.isEmpty()) {
      return read.filled(part.cells());
    }
    ChunkPlace place = found.get();
    int most = CodecChain.mostBytes(place.extent());
    if (place.length() > most) {
      throw new IOException(
          "chunk %s has %d bytes, and its cells can have %d".formatted(key, place.length(), most));
    }
    Box inside = part.shifted(chunk.origin().stream().map(first -> -first).toList());
    try {
      return place
          .codecs()
          .decode(
              ChunkBytes.of(bytes.read(place.start(), (int) place.length())),
              place.extent(),
              inside,
              read);
    } catch (IOException e) {
      throw new IOException("chunk %s: %s".formatted(key, e.getMessage()), e);
    }
  }

  @Override
  public List<Integer> unit(int axes) {
    return grid.chunk().sizes();
  }

  @Override
  public long heapBytes() {
    return STAGES_OF_A_CHUNK * Double.BYTES * grid.chunk().cells();
  }
}
