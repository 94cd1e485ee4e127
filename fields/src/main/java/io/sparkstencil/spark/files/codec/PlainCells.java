/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellFormat;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/**
 * The codec {@code bytes}: cells one after another, slowest axis first.
 *
 * @param format the cells' type and byte order
 */
public record PlainCells(CellFormat format) implements CellsCodec {
  @Override
  public Object decode(ChunkBytes stored, Extent chunk, Box box, ReadAs read) throws IOException {
    long bytes = (long) chunk.cells() * format.type().bytes();
    if (stored.length() != bytes) {
      throw new IOException(
          "%d bytes are stored, and the %d cells of a chunk have %d"
              .formatted(stored.length(), chunk.cells(), bytes));
    }
    Object cells = read.type().newArray(chunk.cells());
    read.meaning().decode(format, stored.read(0, (int) bytes), cells, 0, chunk.cells());
    Box whole = Box.whole(chunk);
    if (box.equals(whole)) {
      return cells;
    }
    Object wanted = read.type().newArray(box.cells());
    CellBoxes.copy(cells, whole, wanted, box, box);
    return wanted;
  }

  /** Returns the bytes of cells of this format's type. */
  public ByteBuffer encode(Object cells) {
    int count = Array.getLength(cells);
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, format.type().bytes()));
    format.encode(cells, 0, count, bytes);
    return bytes.flip();
  }
}
