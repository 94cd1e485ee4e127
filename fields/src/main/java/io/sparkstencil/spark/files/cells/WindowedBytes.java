/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes of a file that are read through windows, so that many small structures cost few requests.
 */
public final class WindowedBytes implements ChunkBytes {
  private static final int WINDOW_BYTES = 16 << 10;

  private final ChunkBytes file;
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowStart;

  /** Reads a file. */
  public WindowedBytes(ChunkBytes file) {
    this.file = file;
  }

  @Override
  public long length() {
    return file.length();
  }

  /** Returns bytes that stay as they are. */
  @Override
  public ByteBuffer read(long start, int count) throws IOException {
    if (start < 0 || count < 0 || start > length() - count) {
      throw new EOFException(
          "%d bytes at %d do not lie inside the %d bytes of the file"
              .formatted(count, start, length()));
    }
    if (start < windowStart || start + count > windowStart + window.limit()) {
      int bytes = (int) Math.min(Math.max(count, WINDOW_BYTES), length() - start);
      window = file.read(start, bytes).slice();
      windowStart = start;
    }
    return window.slice((int) (start - windowStart), count);
  }
}
