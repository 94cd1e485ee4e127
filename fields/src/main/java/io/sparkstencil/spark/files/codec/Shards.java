/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.program.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

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
    ByteBuffer places = places(stored, grid);
    Object wanted = read.type().newArray(box.cells());
    TreeMap<Long, Long> used = new TreeMap<>(); // the ends of parts, by where they begin
    used.put(indexStart(stored, grid), indexEnd(stored, grid));
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
        requireApart(start, start + length, used);
        Box inside = part.shifted(each.origin().stream().map(first -> -first).toList());
        cells = codecs.decode(ChunkBytes.of(stored.read(start, (int) length)), inner, inside, read);
      }
      CellBoxes.copy(cells, part, wanted, box, part);
    }
    return wanted;
  }

  /** Bytes that many chunks share would become much more memory than a shard has bytes. */
  private static void requireApart(long start, long end, TreeMap<Long, Long> used)
      throws IOException {
    Map.Entry<Long, Long> before = used.lowerEntry(end);
    if (before != null && before.getValue() > start) {
      throw new IOException(
          "the index of a shard says that bytes %d to %d are a chunk, and %d to %d something else"
              .formatted(start, end, before.getKey(), before.getValue()));
    }
    used.put(start, end);
  }

  private long indexBytes(ChunkGrid grid) {
    return grid.count() * PLACE_BYTES + (index.checked ? Checksum.BYTES : 0);
  }

  private long indexStart(ChunkBytes stored, ChunkGrid grid) {
    return index.atEnd ? stored.length() - indexBytes(grid) : 0;
  }

  private long indexEnd(ChunkBytes stored, ChunkGrid grid) {
    return index.atEnd ? stored.length() : indexBytes(grid);
  }

  private ByteBuffer places(ChunkBytes stored, ChunkGrid grid) throws IOException {
    long chunks = grid.count();
    long bytes = indexBytes(grid);
    if (bytes > stored.length() || bytes > Integer.MAX_VALUE) {
      throw new IOException(
          "the index of a shard of %d chunks has %d bytes, and the shard has %d"
              .formatted(chunks, bytes, stored.length()));
    }
    ByteBuffer places = stored.read(indexStart(stored, grid), (int) bytes);
    ByteBuffer checked = index.checked ? new Checksum().decode(places, (int) bytes) : places;
    return checked.slice().order(index.bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }
}
