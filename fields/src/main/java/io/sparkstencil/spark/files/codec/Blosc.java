/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * The codec {@code blosc}: blocks that are compressed one by one, after the bytes of their cells or
 * their bits were shuffled. Read only, with all inner formats.
 */
public record Blosc() implements BytesCodec {
  private static final int HEADER_BYTES = 16;

  // Flags in the third byte of the header, whose highest three bits are the inner format.
  private static final int SHUFFLED = 1;
  private static final int STORED = 2;
  private static final int BITS_SHUFFLED = 4;
  private static final int UNSPLIT = 16;

  /** Memory of this size is taken at once, whatever the stored bytes may hold. */
  private static final int TRUSTED_BYTES = 1 << 20;

  /** More than any format makes of real data; more memory is taken as bytes come. */
  private static final int USUAL_RATIO = 16;

  /** A byte of BloscLZ, LZ4 or Snappy is a run of 255 bytes at most. */
  private static final int MOST_RATIO = 256;

  /** Blocks are split by the bytes of a cell only if cells are this small and parts this long. */
  private static final int MOST_PARTS = 16;

  private static final int LEAST_PART_BYTES = 128;

  /** What the first bytes say. */
  private record Header(int flags, int cellBytes, int bytes, int blockBytes, int stored) {
    static Header of(ByteBuffer encoded) throws IOException {
      if (encoded.remaining() < HEADER_BYTES) {
        throw new IOException("%d bytes are too few for Blosc".formatted(encoded.remaining()));
      }
      return new Header(
          encoded.get(2) & 0xff,
          Math.max(1, encoded.get(3) & 0xff),
          encoded.getInt(4),
          encoded.getInt(8),
          encoded.getInt(12));
    }

    boolean has(int flag) {
      return (flags & flag) != 0;
    }

    int partsOf(int block) {
      boolean split =
          !has(UNSPLIT)
              && block == blockBytes
              && cellBytes <= MOST_PARTS
              && blockBytes / cellBytes >= LEAST_PART_BYTES
              && blockBytes % cellBytes == 0;
      return split ? cellBytes : 1;
    }
  }

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    ByteBuffer from = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
    Header header = Header.of(from);
    if (header.bytes < 0 || header.bytes > mostBytes || header.stored != from.remaining()) {
      throw new IOException(
          "the header says that Blosc made %d of %d bytes, and %d are stored"
              .formatted(header.stored, header.bytes, from.remaining()));
    }
    if (header.has(STORED)) {
      return part(from, HEADER_BYTES, header.bytes);
    }
    if (header.blockBytes < 1) {
      throw new IOException("Blosc has blocks of %d bytes".formatted(header.blockBytes));
    }
    long blocks = ((long) header.bytes + header.blockBytes - 1) / header.blockBytes;
    if (HEADER_BYTES + blocks * (2L * Integer.BYTES) > from.remaining()) {
      throw new IOException(
          "%d bytes are too few for %d blocks".formatted(from.remaining(), blocks));
    }
    if (header.bytes > Math.max(TRUSTED_BYTES, (long) USUAL_RATIO * from.remaining())) {
      return ByteBuffer.wrap(grown(from, header, blocks));
    }
    byte[] bytes = new byte[header.bytes];
    for (int block = 0; block < blocks; block++) {
      int start = block * header.blockBytes;
      int length = Math.min(header.blockBytes, header.bytes - start);
      decodeBlock(
          from, from.getInt(HEADER_BYTES + block * Integer.BYTES), header, bytes, start, length);
    }
    return ByteBuffer.wrap(bytes);
  }

  private static void decodeBlock(
      ByteBuffer from, int place, Header header, byte[] to, int start, int length)
      throws IOException {
    int parts = header.partsOf(length);
    int partBytes = length / parts;
    boolean bits = header.has(BITS_SHUFFLED);
    boolean shuffled = bits || (header.has(SHUFFLED) && header.cellBytes > 1);
    byte[] block = shuffled ? new byte[length] : to;
    int at = shuffled ? 0 : start;
    int next = place;
    for (int part = 0; part < parts; part++) {
      int stored = part(from, next, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
      ByteBuffer bytes = part(from, next + Integer.BYTES, stored);
      if (stored == partBytes) {
        bytes.get(block, at + part * partBytes, partBytes);
      } else {
        decompress(header.flags >> 5, bytes, block, at + part * partBytes, partBytes);
      }
      next += Integer.BYTES + stored;
    }
    if (bits) {
      ShuffledBytes.bits(block, header.cellBytes, to, start);
    } else if (shuffled) {
      ShuffledBytes.bytes(block, header.cellBytes, to, start);
    }
  }

  /** Decodes blocks into memory that grows with what comes out, whatever the header says. */
  private static byte[] grown(ByteBuffer from, Header header, long blocks) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int block = 0; block < blocks; block++) {
      int length = Math.min(header.blockBytes, header.bytes - bytes.size());
      int parts = header.partsOf(length);
      int next = from.getInt(HEADER_BYTES + block * Integer.BYTES);
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      for (int part = 0; part < parts; part++) {
        int stored = part(from, next, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
        joined.write(
            grown(header.flags >> 5, part(from, next + Integer.BYTES, stored), length / parts));
        next += Integer.BYTES + stored;
      }
      bytes.write(plain(joined.toByteArray(), header));
    }
    return bytes.toByteArray();
  }

  private static byte[] plain(byte[] block, Header header) {
    byte[] plain = new byte[block.length];
    if (header.has(BITS_SHUFFLED)) {
      ShuffledBytes.bits(block, header.cellBytes, plain, 0);
      return plain;
    }
    if (header.has(SHUFFLED) && header.cellBytes > 1) {
      ShuffledBytes.bytes(block, header.cellBytes, plain, 0);
      return plain;
    }
    return block;
  }

  private static byte[] grown(int format, ByteBuffer stored, int length) throws IOException {
    byte[] bytes = new byte[stored.remaining()];
    stored.get(bytes);
    if (bytes.length == length) {
      return bytes;
    }
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    byte[] made =
        switch (format) {
          case 3 -> new InflaterInputStream(in).readNBytes(length);
          case 4 -> new ZstdInputStreamNoFinalizer(in).readNBytes(length);
          default -> {
            if (length > (long) MOST_RATIO * bytes.length) {
              throw new IOException(
                  "%d bytes are too few to become %d".formatted(bytes.length, length));
            }
            byte[] to = new byte[length];
            decompress(format, ByteBuffer.wrap(bytes), to, 0, length);
            yield to;
          }
        };
    if (made.length != length) {
      throw new IOException(
          "a part of a block has %d bytes, not %d".formatted(made.length, length));
    }
    return made;
  }

  private static ByteBuffer part(ByteBuffer from, int start, int length) throws IOException {
    if (start < 0 || length < 0 || start > from.remaining() - length) {
      throw new IOException(
          "%d bytes at %d do not lie inside %d".formatted(length, start, from.remaining()));
    }
    return from.slice(start, length);
  }

  private static void decompress(int format, ByteBuffer bytes, byte[] to, int at, int length)
      throws IOException {
    byte[] from = bytes.array();
    int start = bytes.arrayOffset() + bytes.position();
    int got =
        switch (format) {
          case 0 -> BloscLz.decompress(from, start, bytes.remaining(), to, at, length);
          case 1 -> lz4(from, start, bytes.remaining(), to, at, length);
          case 2 -> snappy(from, start, bytes.remaining(), to, at, length);
          case 3 -> zlib(from, start, bytes.remaining(), to, at, length);
          case 4 -> zstd(from, start, bytes.remaining(), to, at, length);
          default ->
              throw new IOException("Blosc has the unknown inner format %d".formatted(format));
        };
    if (got != length) {
      throw new IOException("a part of a block has %d bytes, not %d".formatted(got, length));
    }
  }

  private static int lz4(byte[] from, int start, int count, byte[] to, int at, int length)
      throws IOException {
    try {
      return LZ4Factory.safeInstance()
          .safeDecompressor()
          .decompress(from, start, count, to, at, length);
    } catch (LZ4Exception e) {
      throw new IOException("LZ4 failed: " + e.getMessage(), e);
    }
  }

  private static int snappy(byte[] from, int start, int count, byte[] to, int at, int length)
      throws IOException {
    if (Snappy.uncompressedLength(from, start, count) != length) {
      throw new IOException("Snappy has another length than the part of a block");
    }
    return Snappy.uncompress(from, start, count, to, at);
  }

  private static int zlib(byte[] from, int start, int count, byte[] to, int at, int length)
      throws IOException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(from, start, count);
      return inflater.inflate(to, at, length);
    } catch (DataFormatException e) {
      throw new IOException("zlib failed: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
  }

  private static int zstd(byte[] from, int start, int count, byte[] to, int at, int length)
      throws IOException {
    try {
      return (int) Zstd.decompressByteArray(to, at, length, from, start, count);
    } catch (ZstdException e) {
      throw new IOException("Zstandard failed: " + e.getMessage(), e);
    }
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    throw new IOException("Blosc is only read; store with Zstandard");
  }
}
