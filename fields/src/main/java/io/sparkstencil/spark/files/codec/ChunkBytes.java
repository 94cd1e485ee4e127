/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** The stored bytes of a chunk, of which parts can be read. */
public interface ChunkBytes {
  /** Returns how many there are. */
  long length();

  /**
   * Reads some.
   *
   * @throws IOException if they do not lie inside, or cannot be read
   */
  ByteBuffer read(long start, int count) throws IOException;

  /** Returns bytes that lie in memory. */
  static ChunkBytes of(ByteBuffer bytes) {
    return new ChunkBytes() {
      @Override
      public long length() {
        return bytes.remaining();
      }

      @Override
      public ByteBuffer read(long start, int count) throws IOException {
        requireInside(this, start, count);
        return bytes.slice(bytes.position() + (int) start, count);
      }
    };
  }

  /** Returns the bytes of a file, which are read when they are asked for. */
  static ChunkBytes of(FSDataInputStream in, long length) {
    return new ChunkBytes() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public ByteBuffer read(long start, int count) throws IOException {
        requireInside(this, start, count);
        byte[] bytes = new byte[count];
        in.readFully(start, bytes);
        return ByteBuffer.wrap(bytes);
      }
    };
  }

  private static void requireInside(ChunkBytes bytes, long start, int count) throws IOException {
    if (start < 0 || count < 0 || start > bytes.length() - count) {
      throw new EOFException(
          "%d bytes at %d do not lie inside %d".formatted(count, start, bytes.length()));
    }
  }
}
