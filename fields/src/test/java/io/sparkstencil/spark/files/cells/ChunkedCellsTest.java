/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.AllocatedBytes;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellMeaning;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.cells.ChunkedCells.ChunkPlace;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.PlainCells;
import io.sparkstencil.spark.files.codec.ReadAs;
import io.sparkstencil.spark.files.codec.ShuffledBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ChunkedCellsTest {
  private static final int SIDE = 1024;
  private static final long BYTES = (long) Float.BYTES * SIDE * SIDE;

  private static ByteBuffer shuffled(float[] cells) {
    ByteBuffer plain = new PlainCells(new CellFormat(CellType.FLOAT32, false)).encode(cells);
    byte[] shuffled = new byte[plain.remaining()];
    for (int i = 0; i < shuffled.length; i++) {
      shuffled[i % Float.BYTES * cells.length + i / Float.BYTES] = plain.get(i);
    }
    return ByteBuffer.wrap(shuffled);
  }

  /** Stored bytes, inflated ones, those in the order of cells, and cells. */
  @Test
  void aChunkTakesFourTimesItsBytesOfTheHeapInPassing() throws IOException {
    Random random = new Random(20_261_128);
    float[] cells = new float[SIDE * SIDE];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i % 7 == 0 ? -999 : 280 + i % SIDE * 0.01f + random.nextInt(64) / 64f;
    }
    Compression deflate = new Compression(Compression.Method.ZLIB, 4);
    ByteBuffer stored = deflate.encode(shuffled(cells));
    CodecChain codecs =
        new CodecChain(
            List.of(0, 1),
            new PlainCells(new CellFormat(CellType.FLOAT32, false)),
            List.of(new ShuffledBytes(Float.BYTES), deflate));
    Extent extent = Extent.of(SIDE, SIDE);
    ChunkedCells chunked =
        new ChunkedCells(
            ChunkBytes.of(stored),
            new ChunkGrid(List.of((long) SIDE, (long) SIDE), extent),
            key -> Optional.of(new ChunkPlace(0, stored.remaining(), extent, codecs)));
    CellMeaning meaning =
        new CellMeaning(
            new CellPacking(
                CellType.FLOAT32,
                CellType.FLOAT32,
                List.of(-999),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false));
    ReadAs read = new ReadAs(ElementType.F32, meaning, () -> 0);
    float[][] found = new float[1][];

    long allocated =
        AllocatedBytes.of(
            () -> {
              try {
                found[0] = (float[]) chunked.read(Box.whole(extent), read);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    for (int i = 0; i < cells.length; i += 7) {
      cells[i] = Float.NaN;
    }
    assertThat(Arrays.equals(found[0], cells)).isTrue();
    assertThat(allocated).isLessThan(4 * BYTES);
  }
}
