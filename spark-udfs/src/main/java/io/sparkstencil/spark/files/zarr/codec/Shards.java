/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.program.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The codec {@code sharding_indexed}: a chunk that holds smaller chunks, each encoded by itself,
 * and an index of where they lie. Of a file, only the index and the chunks that are wanted are
 * read.
 *
 * @param inner the cells of a smaller chunk along each axis
 * @param codecs what smaller chunks are encoded by
 * @param index how the index is stored
 */
public record Shards(Extent inner, CodecChain codecs, Index index) implements CellsCodec {
  /** The bytes of a place in the index: where a chunk begins, and how many bytes it has. */
  private static final int PLACE_BYTES = 2 * Long.BYTES;

  /** What stands in the index for a chunk that is not stored. */
  private static final long NOT_STORED = -1;

  /**
   * How an index is stored.
   *
   * @param bigEndian the byte order of its numbers
   * @param checked whether a checksum follows
   * @param atEnd whether it lies behind the chunks, not before them
   */
  public record Index(boolean bigEndian, boolean checked, boolean atEnd)
      implements java.io.Serializable {}

  @Override
  public Object decode(ChunkBytes stored, Extent chunk, Box box, ReadAs read) throws IOException {
    ChunkGrid grid = ChunkGrid.of(chunk, inner);
    ByteBuffer places = places(stored, grid.count());
    Object wanted = read.type().newArray(box.cells());
    for (Box each : grid.touching(box)) {
      Box part = each.intersect(box).orElseThrow();
      int place = Math.toIntExact(grid.index(each) * PLACE_BYTES);
      long start = places.getLong(place);
      long length = places.getLong(place + Long.BYTES);
      Object cells;
      if (start == NOT_STORED && length == NOT_STORED) {
        cells = read.filled(part.cells());
      } else {
        if (length < 0 || length > stored.length()) {
          throw new IOException(
              "the index of a shard says that a chunk has %d bytes, and the shard has %d"
                  .formatted(length, stored.length()));
        }
        Box inside = part.shifted(each.origin().stream().map(first -> -first).toList());
        cells = codecs.decode(ChunkBytes.of(stored.read(start, (int) length)), inner, inside, read);
      }
      CellBoxes.copy(cells, part, wanted, box, part);
    }
    return wanted;
  }

  private ByteBuffer places(ChunkBytes stored, long chunks) throws IOException {
    long bytes = chunks * PLACE_BYTES + (index.checked ? Checksum.BYTES : 0);
    if (bytes > stored.length() || bytes > Integer.MAX_VALUE) {
      throw new IOException(
          "the index of a shard of %d chunks has %d bytes, and the shard has %d"
              .formatted(chunks, bytes, stored.length()));
    }
    ByteBuffer places = stored.read(index.atEnd ? stored.length() - bytes : 0, (int) bytes);
    ByteBuffer checked = index.checked ? new Checksum().decode(places, (int) bytes) : places;
    return checked.slice().order(index.bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }
}
