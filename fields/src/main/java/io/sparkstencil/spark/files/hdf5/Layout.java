/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.cells.ChunkedCells;
import io.sparkstencil.spark.files.cells.FlatCells;
import io.sparkstencil.spark.files.cells.StoredCells;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.PlainCells;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the cells of an array. */
final class Layout {
  private static final int WHOLE_EDGES = 1;
  private static final int FILTERED_CHUNK = 2;

  private final Storage storage;
  private final Dataspace space;
  private final CellFormat format;
  private final Filters filters;
  private final boolean filtered;
  private final long mostChunkBytes;

  private Layout(
      Storage storage,
      Dataspace space,
      CellFormat format,
      Optional<Filters> filters,
      long mostChunkBytes) {
    this.storage = storage;
    this.space = space;
    this.format = format;
    this.filters = filters.orElse(new Filters(List.of()));
    this.filtered = filters.isPresent();
    this.mostChunkBytes = mostChunkBytes;
  }

  static StoredCells read(
      Storage storage, ObjectHeader header, Dataspace space, CellFormat format, long mostChunkBytes)
      throws IOException {
    if (header.find(ObjectHeader.EXTERNAL_FILES).isPresent()) {
      throw new UnsupportedHdf5("cells in other files", "h5repack it, which brings them in");
    }
    Optional<ObjectHeader.Message> pipeline = header.find(ObjectHeader.FILTERS);
    ObjectHeader.Message message = header.get(ObjectHeader.LAYOUT, "layout of its cells");
    if (message.shared() || pipeline.filter(ObjectHeader.Message::shared).isPresent()) {
      throw new UnsupportedHdf5("messages kept in a heap of shared ones", "h5repack it");
    }
    Optional<Filters> filters =
        pipeline.isPresent() ? Optional.of(Filters.read(pipeline.get().from())) : Optional.empty();
    return new Layout(storage, space, format, filters, mostChunkBytes).cells(message.from());
  }

  private StoredCells cells(ByteBuffer from) throws IOException {
    int version = from.get();
    if (version < 3 || version > 4) {
      throw new UnsupportedHdf5(
          "version %d of the layout of cells".formatted(version), "h5repack it");
    }
    int kind = from.get();
    return switch (kind) {
      case 0 -> compact(from);
      case 1 -> contiguous(from);
      case 2 -> version == 3 ? olderChunks(from) : chunks(from);
      case 3 ->
          throw new UnsupportedHdf5(
              "a virtual array, of parts of others", "name those, or copy it");
      default -> throw new IOException("its cells are laid out in way %d".formatted(kind));
    };
  }

  private long bytes() {
    long bytes = format.type().bytes();
    for (long size : space.shape()) {
      bytes = Math.multiplyExact(bytes, size);
    }
    return bytes;
  }

  private StoredCells compact(ByteBuffer from) throws IOException {
    int count = from.getShort() & 0xffff;
    if (count != bytes()) {
      throw new IOException("%d bytes of cells are stored, not %d".formatted(count, bytes()));
    }
    byte[] kept = new byte[count];
    from.get(kept);
    return new FlatCells(ChunkBytes.of(ByteBuffer.wrap(kept)), 0, space.shape(), format);
  }

  private StoredCells contiguous(ByteBuffer from) throws IOException {
    long address = storage.offset(from);
    if (address == Storage.NOWHERE) {
      return (box, read) -> read.filled(box.cells());
    }
    long start = storage.place(address);
    if (bytes() > storage.file().length() - start) {
      throw new IOException(
          "its cells have %d bytes, and the file ends %d bytes behind their start; was it copied whole?"
              .formatted(bytes(), storage.file().length() - start));
    }
    return new FlatCells(storage.file(), start, space.shape(), format);
  }

  private StoredCells olderChunks(ByteBuffer from) throws IOException {
    int axes = (from.get() & 0xff) - 1;
    long tree = storage.offset(from);
    Extent chunk = chunk(from, axes, Integer.BYTES);
    return chunked(
        chunk,
        false,
        tree == Storage.NOWHERE
            ? key -> Optional.empty()
            : ChunkTree.of(storage, tree, chunk.sizes()));
  }

  private Extent chunk(ByteBuffer from, int axes, int sizeBytes) throws IOException {
    if (axes != space.shape().size() || sizeBytes < 1 || sizeBytes > Long.BYTES) {
      throw new IOException(
          "chunks have %d axes, and the array %d".formatted(axes, space.shape().size()));
    }
    List<Integer> sizes = new ArrayList<>();
    long bytes = format.type().bytes();
    for (int axis = 0; axis < axes; axis++) {
      long size = Storage.unsigned(from, sizeBytes);
      if (size < 1 || size > Integer.MAX_VALUE || bytes > Long.MAX_VALUE / size) {
        throw new IOException("chunks have %d cells along axis %d".formatted(size, axis));
      }
      bytes *= size;
      sizes.add((int) size);
    }
    if (bytes > mostChunkBytes) {
      throw new UnsupportedHdf5(
          "chunks of %d bytes, more than the %d that %s lets a task hold"
              .formatted(bytes, mostChunkBytes, Hdf5File.CHUNK_BYTES),
          "raise it, or store smaller chunks");
    }
    if (Storage.unsigned(from, sizeBytes) != format.type().bytes()) {
      throw new IOException("chunks have cells of another size");
    }
    return new Extent(sizes);
  }

  private StoredCells chunks(ByteBuffer from) throws IOException {
    int flags = from.get();
    int axes = (from.get() & 0xff) - 1;
    Extent chunk = chunk(from, axes, from.get() & 0xff);
    long chunkBytes = (long) chunk.cells() * format.type().bytes();
    int kind = from.get();
    int entryBytes = ChunkList.entryBytes(storage, filtered, chunkBytes);
    boolean wholeEdges = (flags & WHOLE_EDGES) != 0;
    ChunkIndex index =
        switch (kind) {
          case 1 -> single(from, (flags & FILTERED_CHUNK) != 0, chunkBytes);
          case 2 -> implicit(storage.offset(from), chunk, chunkBytes);
          case 3 -> {
            long address = storage.offset(from.position(from.position() + 1));
            yield list(
                chunk,
                chunkBytes,
                address == Storage.NOWHERE
                    ? number -> Storage.NOWHERE
                    : ChunkList.fixed(storage, address, entryBytes));
          }
          case 4 -> {
            long address = storage.offset(from.position(from.position() + 5));
            yield address == Storage.NOWHERE
                ? key -> Optional.empty()
                : growing(chunk, chunkBytes, new GrowingList(storage, address, entryBytes));
          }
          case 5 -> {
            long address = storage.offset(from.position(from.position() + 6));
            yield address == Storage.NOWHERE
                ? key -> Optional.empty()
                : ChunkRecords.read(storage, address, axes, filtered, chunkBytes);
          }
          default -> throw new UnsupportedHdf5("index %d of chunks".formatted(kind), "h5repack it");
        };
    return chunked(chunk, wholeEdges, index);
  }

  private ChunkIndex single(ByteBuffer from, boolean ofThis, long chunkBytes) throws IOException {
    long bytes = ofThis ? storage.length(from) : chunkBytes;
    int skipped = ofThis ? from.getInt() : 0;
    long address = storage.offset(from);
    return key ->
        address == Storage.NOWHERE
            ? Optional.empty()
            : Optional.of(new ChunkIndex.Entry(address, bytes, skipped));
  }

  /** All chunks lie one after another. */
  private ChunkIndex implicit(long first, Extent chunk, long chunkBytes) {
    List<Long> counts = counts(chunk);
    return key -> {
      long number = 0;
      for (int axis = 0; axis < counts.size(); axis++) {
        number = Math.addExact(Math.multiplyExact(number, counts.get(axis)), key.get(axis));
      }
      return first == Storage.NOWHERE
          ? Optional.empty()
          : Optional.of(
              new ChunkIndex.Entry(
                  Math.addExact(first, Math.multiplyExact(number, chunkBytes)), chunkBytes, 0));
    };
  }

  private ChunkList list(Extent chunk, long chunkBytes, ChunkList.Slots slots) {
    return new ChunkList(storage, counts(chunk), filtered, chunkBytes, slots);
  }

  /** The axis that grows without a limit is the slowest in the order of chunks. */
  private ChunkIndex growing(Extent chunk, long chunkBytes, ChunkList.Slots slots)
      throws IOException {
    int axis = space.most().indexOf(Storage.NOWHERE);
    if (axis < 0) {
      throw new IOException("no axis grows, and the index of chunks is for one that does");
    }
    List<Long> counts = new ArrayList<>(counts(chunk));
    counts.add(0, counts.remove(axis));
    ChunkList list = new ChunkList(storage, counts, filtered, chunkBytes, slots);
    return key -> {
      List<Long> turned = new ArrayList<>(key);
      turned.add(0, turned.remove(axis));
      return list.find(turned);
    };
  }

  /** Returns the chunks along each axis when it is as long as it may become. */
  private List<Long> counts(Extent chunk) {
    List<Long> counts = new ArrayList<>();
    for (int axis = 0; axis < chunk.dimensions(); axis++) {
      long most = space.most().get(axis);
      counts.add(most == Storage.NOWHERE ? 1 : (most - 1) / chunk.size(axis) + 1);
    }
    return counts;
  }

  private StoredCells chunked(Extent chunk, boolean wholeEdges, ChunkIndex index) {
    ChunkGrid grid = new ChunkGrid(space.shape(), chunk);
    List<Integer> axes = CodecChain.inOrder(chunk.dimensions());
    PlainCells cells = new PlainCells(format);
    return new ChunkedCells(
        storage.file(),
        grid,
        key -> {
          storage.restart();
          Optional<ChunkIndex.Entry> found = index.find(key);
          if (found.isEmpty()) {
            return Optional.empty();
          }
          ChunkIndex.Entry entry = found.get();
          boolean plain = wholeEdges && reachesOut(grid, key);
          return Optional.of(
              new ChunkedCells.ChunkPlace(
                  storage.place(entry.address()),
                  entry.bytes(),
                  chunk,
                  new CodecChain(
                      axes, cells, plain ? List.of() : filters.without(entry.skipped()))));
        });
  }

  private static boolean reachesOut(ChunkGrid grid, List<Long> key) {
    for (int axis = 0; axis < key.size(); axis++) {
      if ((key.get(axis) + 1) * grid.chunk().size(axis) > grid.shape().get(axis)) {
        return true;
      }
    }
    return false;
  }
}
