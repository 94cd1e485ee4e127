/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.DenseCells;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a chunk's cells go through before they are stored, in this order.
 *
 * @param axes the order of axes in which cells are encoded: for each axis, the chunk's own; the
 *     codec {@code transpose}
 * @param cells what makes bytes of cells
 * @param bytes what makes bytes of bytes
 */
public record CodecChain(List<Integer> axes, CellsCodec cells, List<BytesCodec> bytes)
    implements Serializable {
  /** Bytes that codecs may add to those of a chunk's cells. */
  private static final int SLACK_BYTES = 1 << 16;

  /** Copies the lists. */
  public CodecChain {
    axes = List.copyOf(axes);
    bytes = List.copyOf(bytes);
  }

  /** Returns the order of axes that changes nothing. */
  public static List<Integer> inOrder(int dimensions) {
    return IntStream.range(0, dimensions).boxed().toList();
  }

  /**
   * Returns the most bytes that a chunk's file can have: twice those of its cells of at most eight
   * bytes, and some more.
   */
  public static int mostBytes(Extent chunk) {
    return (int) Math.min(Integer.MAX_VALUE - 8, 2L * Double.BYTES * chunk.cells() + SLACK_BYTES);
  }

  /** Returns the cells of the chunks that are decoded as a whole: those inside shards, say. */
  public long cellsAtOnce(Extent chunk) {
    return readsParts()
        ? ((Shards) cells).codecs().cellsAtOnce(((Shards) cells).inner())
        : chunk.cells();
  }

  /** Returns whether a part of the stored bytes is enough to read a part of the cells. */
  public boolean readsParts() {
    return cells instanceof Shards && bytes.isEmpty();
  }

  /**
   * Returns cells of a chunk.
   *
   * @param stored the chunk's bytes
   * @param chunk the cells of the chunk along each axis
   * @param box the cells that are wanted, by their positions in the chunk
   * @param read the cells that come out, and those that are not stored
   * @return a new dense array of the box's cells
   * @throws IOException if the bytes were not made by these codecs; the message says what is wrong
   */
  public Object decode(ChunkBytes stored, Extent chunk, Box box, ReadAs read) throws IOException {
    ChunkBytes left = stored;
    if (!bytes.isEmpty()) {
      ByteBuffer decoded = stored.read(0, Math.toIntExact(stored.length()));
      for (int i = bytes.size() - 1; i >= 0; i--) {
        decoded = bytes.get(i).decode(decoded, mostBytes(chunk), likelyBytes(chunk));
      }
      left = ChunkBytes.of(decoded);
    }
    if (axes.equals(inOrder(chunk.dimensions()))) {
      return cells.decode(left, chunk, box, read);
    }
    Box turned = new Box(turned(box.origin()), new Extent(turned(box.extent().sizes())));
    Object out = cells.decode(left, new Extent(turned(chunk.sizes())), turned, read);
    List<Integer> back = new ArrayList<>(Collections.nCopies(axes.size(), 0));
    for (int axis = 0; axis < axes.size(); axis++) {
      back.set(axes.get(axis), axis);
    }
    return DenseCells.transposed(out, turned.extent(), back);
  }

  private int likelyBytes(Extent chunk) {
    long plain = cells instanceof PlainCells each ? each.format().type().bytes() : 0;
    return (int) Math.min(plain * chunk.cells(), mostBytes(chunk));
  }

  private <T> List<T> turned(List<T> along) {
    return axes.stream().map(along::get).toList();
  }
}
