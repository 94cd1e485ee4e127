/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * A codec that compresses.
 *
 * @param method the format of compressed bytes
 * @param level how much time compression takes; the levels are the method's
 */
public record Compression(Method method, int level) implements BytesCodec {
  /** Buffers of this size are allocated at once, whatever the stored bytes may hold. */
  private static final int TRUSTED_BYTES = 1 << 20;

  /** More than any method makes of real data; larger buffers grow as bytes come. */
  private static final int USUAL_RATIO = 8;

  /** Formats of compressed bytes. */
  public enum Method {
    /** A gzip member, by the JDK. */
    GZIP,
    /** A zlib stream, by the JDK: in Zarr of version 2, which is only read with it, and in TIFF. */
    ZLIB,
    /** Zstandard frames, by the library that comes with Spark. */
    ZSTD
  }

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    return decode(encoded, mostBytes, 0);
  }

  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes, int likelyBytes) throws IOException {
    InputStream stored =
        new ByteArrayInputStream(
            encoded.array(), encoded.arrayOffset() + encoded.position(), encoded.remaining());
    long trusted = Math.max(TRUSTED_BYTES, (long) USUAL_RATIO * encoded.remaining());
    long wanted = likelyBytes > 0 ? Math.min(likelyBytes, trusted) : trusted;
    byte[] bytes = new byte[(int) Math.min(mostBytes, wanted)];
    int length = 0;
    try (InputStream in = decompressing(stored)) {
      while (true) {
        length += in.readNBytes(bytes, length, bytes.length - length);
        if (length < bytes.length) {
          return ByteBuffer.wrap(bytes, 0, length);
        }
        int next = in.read();
        if (next < 0) {
          return ByteBuffer.wrap(bytes, 0, length);
        }
        if (length == mostBytes) {
          throw new IOException("more than %d bytes come out".formatted(mostBytes));
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(mostBytes, 2L * length));
        bytes[length++] = (byte) next;
      }
    } catch (EOFException e) {
      EOFException named = new EOFException("the compressed bytes end too early");
      named.initCause(e);
      throw named;
    }
  }

  private InputStream decompressing(InputStream in) throws IOException {
    return switch (method) {
      case GZIP -> new GZIPInputStream(in, 1 << 16);
      case ZLIB -> new Zlib(in);
      case ZSTD -> new ZstdInputStreamNoFinalizer(in);
    };
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    int start = bytes.arrayOffset() + bytes.position();
    return switch (method) {
      case GZIP -> gzip(bytes.array(), start, bytes.remaining());
      case ZSTD -> zstd(bytes.array(), start, bytes.remaining());
      case ZLIB -> zlib(bytes.array(), start, bytes.remaining());
    };
  }

  private ByteBuffer gzip(byte[] bytes, int start, int length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length / 2 + 64);
    try (GZIPOutputStream compressing = new LevelledGzip(out, level)) {
      compressing.write(bytes, start, length);
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  private ByteBuffer zlib(byte[] bytes, int start, int length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length / 2 + 64);
    Deflater deflater = new Deflater(level);
    try (DeflaterOutputStream compressing = new DeflaterOutputStream(out, deflater)) {
      compressing.write(bytes, start, length);
    } finally {
      deflater.end();
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  private ByteBuffer zstd(byte[] bytes, int start, int length) {
    byte[] out = new byte[Math.toIntExact(Zstd.compressBound(length))];
    long written = Zstd.compressByteArray(out, 0, out.length, bytes, start, length, level);
    return ByteBuffer.wrap(out, 0, (int) written);
  }

  /** The JDK's stream reads 512 bytes at once unless it is given an inflater. */
  private static final class Zlib extends InflaterInputStream {
    Zlib(InputStream in) {
      super(in, new Inflater(), 1 << 16);
    }

    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }

  /** The JDK's stream has a level, but no way to choose it from outside. */
  private static final class LevelledGzip extends GZIPOutputStream {
    LevelledGzip(ByteArrayOutputStream out, int level) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Math.min(level, Deflater.BEST_COMPRESSION));
    }
  }
}
