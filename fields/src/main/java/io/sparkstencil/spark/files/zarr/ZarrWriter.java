/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.DenseCells;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes chunks, each into a file of its own; the commit writes the metadata, without which a
 * folder is no array.
 *
 * @param folder the path of the array
 * @param layout how it is stored
 */
public record ZarrWriter(String folder, ZarrLayout layout) implements FieldWriter {

  static ZarrWriter begin(StoredFile folder, ZarrLayout layout) {
    if (!folder.list().isEmpty() || folder.isFile()) {
      throw FieldFileException.wrongCall(
          "%s exists already; remove it, or choose another path".formatted(folder));
    }
    folder.makeFolder();
    return new ZarrWriter(folder.toString(), layout);
  }

  @Override
  public ElementType type() {
    return layout.type();
  }

  @Override
  public List<Long> shape() {
    return layout.shape();
  }

  @Override
  public void write(Box box, Object cells, Configuration hadoop) {
    store(box, cells, hadoop);
  }

  /**
   * Writes a box of cells as {@link #write} does.
   *
   * @return the sums of the files, by their paths from the array
   */
  public List<FileSum> store(Box box, Object cells, Configuration hadoop) {
    FieldChecks.requireInside(box, shape(), folder);
    FieldChecks.requireCells(cells, box, type());
    requireWholeChunks(box);
    ChunkGrid grid = new ChunkGrid(shape(), layout.chunks());
    StoredFile array = StoredFile.of(folder, hadoop);
    List<FileSum> sums = new ArrayList<>();
    for (Box chunk : grid.touching(box)) {
      String name = layout.keys().name(grid.key(chunk));
      StoredFile file = array.child(name);
      ByteBuffer bytes = encode(cells, box, chunk, file);
      sums.add(FileSum.of(name, bytes));
      file.writeFromTask(
          out ->
              out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
    }
    return sums;
  }

  /** Returns the sum of the file that the commit writes. */
  public FileSum metadataSum() {
    return FileSum.of(Version3.FILE, ByteBuffer.wrap(Version3.array(layout)));
  }

  /** Returns the number of files that {@link #store} writes for all cells. */
  public long chunks() {
    return new ChunkGrid(shape(), layout.chunks()).count();
  }

  private void requireWholeChunks(Box box) {
    for (int axis = 0; axis < box.dimensions(); axis++) {
      int chunk = layout.chunks().size(axis);
      boolean ends = box.end(axis) == shape().get(axis) || box.end(axis) % chunk == 0;
      if (box.start(axis) % chunk != 0 || !ends) {
        throw FieldFileException.wrongCall(
            "the box at %s with sizes %s cuts chunks of %s cells; write whole chunks at once"
                .formatted(box.origin(), box.extent().sizes(), layout.chunks().sizes()));
      }
    }
  }

  /** Chunks at the ends of the array are stored as long as the others; fill values lie outside. */
  private ByteBuffer encode(Object cells, Box box, Box chunk, StoredFile file) {
    Object stored = cells;
    if (!chunk.equals(box)) {
      stored = DenseCells.filled(type(), chunk.cells(), layout.fill());
      CellBoxes.copy(cells, box, stored, chunk, chunk.intersect(box).orElseThrow());
    }
    try {
      ByteBuffer bytes = layout.cellsCodec().encode(stored);
      for (BytesCodec codec : layout.bytesCodecs()) {
        bytes = codec.encode(bytes);
      }
      return bytes;
    } catch (IOException e) {
      throw FieldFileException.failed("encoding", file, e);
    }
  }

  @Override
  public void commit(Configuration hadoop) {
    StoredFile array = StoredFile.of(folder, hadoop);
    layout
        .metadata()
        .forEach((name, document) -> array.child(name).writeWhole(ZarrJson.text(document)));
  }

  @Override
  public void abort(Configuration hadoop) {
    StoredFile.of(folder, hadoop).delete();
  }
}
