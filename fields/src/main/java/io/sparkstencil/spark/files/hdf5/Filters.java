/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.codec.Blosc;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.FletcherChecksum;
import io.sparkstencil.spark.files.codec.Lzf;
import io.sparkstencil.spark.files.codec.ShuffledBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The filters that chunks of an array go through before they are stored, in this order.
 *
 * @param codecs what undoes each
 */
record Filters(List<BytesCodec> codecs) {
  private static final int MOST_FILTERS = 32;
  private static final String REMEDY =
      "write the array with gzip, by h5repack -f GZIP=4 in.h5 out.h5";

  static Filters read(ByteBuffer from) throws IOException {
    int version = from.get();
    int count = from.get() & 0xff;
    if (version < 1 || version > 2 || count > MOST_FILTERS) {
      throw new IOException("%d filters are listed in version %d".formatted(count, version));
    }
    if (version == 1) {
      from.position(from.position() + 6);
    }
    List<BytesCodec> codecs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int kind = from.getShort() & 0xffff;
      boolean named = version == 1 || kind >= 256;
      int nameBytes = named ? from.getShort() & 0xffff : 0;
      from.getShort(); // whether it may be left out
      int numbers = from.getShort() & 0xffff;
      int padded = version == 1 ? (nameBytes + 7) / 8 * 8 : nameBytes;
      String name = Storage.text(from.slice(from.position(), nameBytes));
      from.position(from.position() + padded);
      int[] settings = new int[Math.min(numbers, from.remaining() / Integer.BYTES)];
      for (int n = 0; n < settings.length; n++) {
        settings[n] = from.getInt();
      }
      if (version == 1 && numbers % 2 == 1) {
        from.getInt();
      }
      codecs.add(codec(kind, name, settings));
    }
    return new Filters(List.copyOf(codecs));
  }

  private static BytesCodec codec(int kind, String name, int[] settings) throws IOException {
    return switch (kind) {
      case 1 -> new Compression(Compression.Method.ZLIB, 1);
      case 2 -> shuffle(settings);
      case 3 -> new FletcherChecksum();
      case 4 -> throw new UnsupportedHdf5("the filter szip", REMEDY);
      case 5 -> throw new UnsupportedHdf5("the filter nbit", REMEDY);
      case 6 -> throw new UnsupportedHdf5("the filter scaleoffset", REMEDY);
      case 32000 -> new Lzf();
      case 32001 -> new Blosc();
      default ->
          throw new UnsupportedHdf5(
              "the filter %d%s".formatted(kind, name.isEmpty() ? "" : " (%s)".formatted(name)),
              REMEDY);
    };
  }

  private static BytesCodec shuffle(int[] settings) throws IOException {
    if (settings.length < 1 || settings[0] < 1 || settings[0] > 1 << 16) {
      throw new IOException("the filter shuffle does not say how many bytes a cell has");
    }
    return new ShuffledBytes(settings[0]);
  }

  /** Returns what undoes those filters whose bit is not set. */
  List<BytesCodec> without(int skipped) {
    List<BytesCodec> applied = new ArrayList<>();
    for (int i = 0; i < codecs.size(); i++) {
      if ((skipped >> i & 1) == 0) {
        applied.add(codecs.get(i));
      }
    }
    return applied;
  }
}
