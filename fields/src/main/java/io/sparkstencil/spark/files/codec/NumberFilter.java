/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.spark.files.CellFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A filter of numcodecs that stores other numbers than those of cells. Read only.
 *
 * @param kind what is done to numbers
 * @param stored the format of stored numbers
 * @param made the format of the numbers that come out
 * @param scale what stored numbers are divided by
 * @param offset what is added then
 */
public record NumberFilter(
    NumberChange kind, CellFormat stored, CellFormat made, double scale, double offset)
    implements BytesCodec {
  /** What filters do. */
  public enum NumberChange {
    /** Each number is the difference to the one before. */
    DELTA,
    /** Numbers are multiples of a scale, beside an offset. */
    SCALED,
    /** Numbers are of another type. */
    CONVERTED
  }

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    int width = stored.type().bytes();
    int count = encoded.remaining() / width;
    if (encoded.remaining() % width != 0 || (long) count * made.type().bytes() > mostBytes) {
      throw new IOException(
          "%d bytes are no numbers of a chunk, of %d bytes each"
              .formatted(encoded.remaining(), width));
    }
    ByteBuffer from = encoded.slice().order(stored.order());
    ByteBuffer to = ByteBuffer.allocate(count * made.type().bytes()).order(made.order());
    switch (kind) {
      case DELTA -> sum(from, to, count);
      case SCALED -> {
        for (int i = 0; i < count; i++) {
          made.put(to, stored.asDouble(from, i * width) / scale + offset);
        }
      }
      case CONVERTED -> {
        for (int i = 0; i < count; i++) {
          convert(from, i * width, to);
        }
      }
    }
    return to.flip();
  }

  private void sum(ByteBuffer from, ByteBuffer to, int count) {
    int width = stored.type().bytes();
    if (!made.type().isFloating()) {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += stored.integer(from, i * width);
        made.put(to, sum);
      }
      return;
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double next = sum + stored.asDouble(from, i * width);
      sum = made.type().rounded(next);
      made.put(to, sum);
    }
  }

  private void convert(ByteBuffer from, int at, ByteBuffer to) {
    if (stored.type().isFloating() || made.type().isFloating()) {
      made.put(to, stored.asDouble(from, at));
    } else {
      made.put(to, stored.integer(from, at));
    }
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("filtered cells are only read");
  }
}
