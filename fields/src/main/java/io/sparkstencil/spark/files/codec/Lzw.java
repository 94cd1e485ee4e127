/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first, which become longer one code
 * early. Read only.
 */
public record Lzw() implements BytesCodec {
  private static final int CLEAR = 256;
  private static final int END = 257;
  private static final int FIRST = 258;
  private static final int MOST_CODES = 1 << 12;
  private static final int LEAST_BITS = 9;

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    if (encoded.remaining() > 1
        && encoded.get(encoded.position()) == 0
        && (encoded.get(encoded.position() + 1) & 1) == 1) {
      throw new IOException("LZW of the old kind, with the lowest bit first, is not read");
    }
    return new Decoder(encoded.slice(), mostBytes).decode();
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("LZW is only read");
  }

  /** Each code stands for bytes that have come out before: where they begin, and how many. */
  private static final class Decoder {
    private final ByteBuffer from;
    private final int mostBytes;
    private final int[] starts = new int[MOST_CODES];
    private final int[] lengths = new int[MOST_CODES];
    private byte[] to;
    private int length;
    private int bits;
    private int bitCount;

    Decoder(ByteBuffer from, int mostBytes) {
      this.from = from;
      this.mostBytes = mostBytes;
      to = new byte[(int) Math.min(mostBytes, 8L * from.remaining() + 64)];
    }

    ByteBuffer decode() throws IOException {
      int width = LEAST_BITS;
      int next = FIRST;
      int last = -1; // where the bytes of the last code begin
      int lastLength = 0;
      while (true) {
        int code = code(width);
        if (code == END || code < 0) {
          return ByteBuffer.wrap(to, 0, length);
        }
        if (code == CLEAR) {
          width = LEAST_BITS;
          next = FIRST;
          last = -1;
          continue;
        }
        if (last >= 0 && next < MOST_CODES) {
          // The last code's bytes and the first byte of this one, which follows them.
          starts[next] = last;
          lengths[next] = lastLength + 1;
          next++;
        }
        int start = length;
        append(code, next);
        last = start;
        lastLength = length - start;
        // The code that the next one completes counts already.
        width =
            Math.min(
                12, Math.max(LEAST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(next + 1)));
      }
    }

    private int code(int width) {
      while (bitCount < width) {
        if (!from.hasRemaining()) {
          return -1;
        }
        bits = bits << Byte.SIZE | (from.get() & 0xff);
        bitCount += Byte.SIZE;
      }
      bitCount -= width;
      return bits >>> bitCount & ((1 << width) - 1);
    }

    private void append(int code, int next) throws IOException {
      if (code >= next && code >= FIRST) {
        throw new IOException(
            "the bytes are not compressed by LZW: code %d of %d".formatted(code, next));
      }
      int count = code < CLEAR ? 1 : lengths[code];
      if (length + (long) count > mostBytes) {
        throw new IOException("more than %d bytes come out".formatted(mostBytes));
      }
      if (length + count > to.length) {
        to = Arrays.copyOf(to, (int) Math.min(mostBytes, 2L * (length + count)));
      }
      if (code < CLEAR) {
        to[length++] = (byte) code;
        return;
      }
      int start = starts[code];
      for (int i = 0; i < count; i++) {
        to[length++] = to[start + i];
      }
    }
  }
}
