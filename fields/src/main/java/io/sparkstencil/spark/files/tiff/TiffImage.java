/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.cells.ChunkedCells;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.Lzw;
import io.sparkstencil.spark.files.codec.PlainCells;
import io.sparkstencil.spark.files.codec.Predictor;
import io.sparkstencil.spark.files.codec.RunLengths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an image is stored.
 *
 * @param width its columns
 * @param height its rows
 * @param bands the numbers of each cell
 * @param format of these numbers in the file
 * @param apart whether the bands lie one after another
 * @param tileWidth the columns of a tile, or of the image where it has strips
 * @param tileHeight the rows of a tile or strip
 * @param strips whether the last one is shorter
 * @param compression by the number of the format
 * @param predictor 1, 2 or 3
 * @param offsets where tiles or strips begin
 * @param lengths the bytes of each
 */
record TiffImage(
    long width,
    long height,
    int bands,
    CellFormat format,
    boolean apart,
    int tileWidth,
    int tileHeight,
    boolean strips,
    long compression,
    long predictor,
    TiffDirectory.Values offsets,
    TiffDirectory.Values lengths) {
  private static final int MOST_BANDS = 1 << 16;
  private static final int NO_COMPRESSION = 1;
  private static final int KINDS = 6; // of numbers

  /** What a valid file has and is not read. */
  static final class Unread extends IOException {
    private static final long serialVersionUID = 1L;

    Unread(String what) {
      super(what);
    }
  }

  static TiffImage of(TiffDirectory tags, long mostChunkBytes) throws IOException {
    long width = tags.get(256, "the width").integer(0);
    long height = tags.get(257, "the height").integer(0);
    long bands = tags.integer(277, 1);
    boolean strips = !tags.has(322);
    long tileWidth = strips ? width : tags.get(322, "the width of tiles").integer(0);
    long tileHeight =
        strips
            ? Math.min(height, tags.integer(278, height))
            : tags.get(323, "the height of tiles").integer(0);
    boolean sizes = width > 0 && height > 0 && bands > 0 && bands <= MOST_BANDS;
    if (!sizes
        || tileWidth < 1
        || tileHeight < 1
        || width > Integer.MAX_VALUE
        || height > Integer.MAX_VALUE) {
      throw new IOException(
          "an image of %d x %d cells with %d bands has tiles of %d x %d"
              .formatted(height, width, bands, tileHeight, tileWidth));
    }
    if (tags.integer(266, 1) != 1) {
      throw new Unread("bits whose lowest comes first");
    }
    CellFormat format = format(tags, (int) bands);
    boolean apart = bands > 1 && tags.integer(284, 1) == 2;
    requireSmall(tileWidth, tileHeight, apart ? 1 : bands, format.type().bytes(), mostChunkBytes);
    TiffImage image =
        new TiffImage(
            width,
            height,
            (int) bands,
            format,
            apart,
            (int) tileWidth,
            (int) tileHeight,
            strips,
            tags.integer(259, NO_COMPRESSION),
            tags.integer(317, 1),
            strips ? tags.get(273, "where strips lie") : tags.get(324, "where tiles lie"),
            strips ? tags.get(279, "the bytes of strips") : tags.get(325, "the bytes of tiles"));
    image.codecs(1); // refuses what is not read
    image.requireAllTiles();
    return image;
  }

  private static void requireSmall(long width, long height, long bands, int bytes, long most)
      throws IOException {
    if (width > most / height
        || width * height > most / bands
        || width * height * bands > most / bytes) {
      throw new Unread(
          "tiles or strips of %d x %d cells, more than the %d bytes that %s lets a task hold"
              .formatted(height, width, most, TiffFile.CHUNK_BYTES));
    }
  }

  private void requireAllTiles() throws IOException {
    long needed = Math.multiplyExact(down() * across(), apart ? bands : 1L);
    if (offsets.count() < needed || lengths.count() < needed) {
      throw new IOException(
          "%d tiles or strips are needed, and %d are listed"
              .formatted(needed, Math.min(offsets.count(), lengths.count())));
    }
  }

  private long across() {
    return (width - 1) / tileWidth + 1;
  }

  private long down() {
    return (height - 1) / tileHeight + 1;
  }

  private static CellFormat format(TiffDirectory tags, int bands) throws IOException {
    long bits = same(tags, 258, 1, bands, "bits");
    long kind = same(tags, 339, 1, bands, "formats");
    CellType type =
        switch (kind > KINDS || bits > Long.SIZE ? 0 : (int) (kind * 1000 + bits)) {
          case 1008, 4008 -> CellType.UINT8;
          case 1016, 4016 -> CellType.UINT16;
          case 1032, 4032 -> CellType.UINT32;
          case 1064, 4064 -> CellType.UINT64;
          case 2008 -> CellType.INT8;
          case 2016 -> CellType.INT16;
          case 2032 -> CellType.INT32;
          case 2064 -> CellType.INT64;
          case 3016 -> CellType.FLOAT16;
          case 3032 -> CellType.FLOAT32;
          case 3064 -> CellType.FLOAT64;
          default ->
              throw new Unread(
                  kind == 5 || kind == 6
                      ? "complex cells"
                      : "cells of %d bits (sample format %d)".formatted(bits, kind));
        };
    return new CellFormat(type, tags.bigEndian());
  }

  /** Returns the value that a tag has for all bands. */
  private static long same(TiffDirectory tags, int tag, long otherwise, int bands, String what)
      throws IOException {
    long first = tags.integer(tag, otherwise);
    if (tags.has(tag) && tags.tags().get(tag).count() > 1) {
      for (int band = 1; band < Math.min(bands, tags.tags().get(tag).count()); band++) {
        if (tags.tags().get(tag).integer(band) != first) {
          throw new Unread("bands of different " + what);
        }
      }
    }
    return first;
  }

  /** Returns the cells along each axis: of bands, if there are several, rows and columns. */
  List<Long> shape() {
    return bands == 1 ? List.of(height, width) : List.of((long) bands, height, width);
  }

  private Extent chunk(long rows) {
    return bands == 1
        ? Extent.of((int) rows, tileWidth)
        : Extent.of(apart ? 1 : bands, (int) rows, tileWidth);
  }

  ChunkedCells cells(ChunkBytes file) throws IOException {
    ChunkGrid grid = new ChunkGrid(shape(), chunk(tileHeight));
    int together = apart ? 1 : bands;
    List<Integer> axes =
        bands > 1 && !apart ? List.of(1, 2, 0) : CodecChain.inOrder(shape().size());
    boolean turned = predictor == 3;
    CellFormat decoded = turned ? new CellFormat(format.type(), true) : format;
    CodecChain codecs = new CodecChain(axes, new PlainCells(decoded), codecs(together));
    return new ChunkedCells(
        file,
        grid,
        key -> {
          int last = key.size() - 1;
          long row = key.get(last - 1);
          long number = row * across() + key.get(last);
          if (apart) {
            number += key.get(0) * across() * down();
          }
          long start = offsets.integer(number);
          long length = lengths.integer(number);
          if (start == 0 && length == 0) {
            return Optional.empty();
          }
          if (start == 0 || length == 0) {
            throw new IOException(
                "tile or strip %d has %d bytes at %d".formatted(number, length, start));
          }
          long rows = strips ? Math.min(tileHeight, height - row * tileHeight) : tileHeight;
          return Optional.of(new ChunkedCells.ChunkPlace(start, length, chunk(rows), codecs));
        });
  }

  private List<BytesCodec> codecs(int together) throws IOException {
    List<BytesCodec> codecs = new ArrayList<>();
    if (predictor == 2 || (predictor == 3 && format.type().isFloating())) {
      codecs.add(
          new Predictor(
              predictor == 3,
              format.type().bytes(),
              together,
              Math.multiplyExact(tileWidth, together),
              format.bigEndian()));
    } else if (predictor != 1) {
      throw new Unread("predictor %d for cells of type %s".formatted(predictor, format.type()));
    }
    if (predictor == 3 && format.bigEndian()) {
      // libtiff stores the bytes of such rows in the other order than the format says.
      throw new Unread("predictor 3 in a big-endian file");
    }
    switch (Math.toIntExact(compression)) {
      case NO_COMPRESSION -> {}
      case 5 -> codecs.add(new Lzw());
      case 8, 32946 -> codecs.add(new Compression(Compression.Method.ZLIB, 1));
      case 32773 -> codecs.add(new RunLengths());
      case 50000 -> codecs.add(new Compression(Compression.Method.ZSTD, 1));
      default -> throw new Unread("compression %s".formatted(name(compression)));
    }
    if (predictor != 1 && (compression == NO_COMPRESSION || compression == 32773)) {
      throw new Unread("a predictor without LZW, deflate or zstd");
    }
    return codecs;
  }

  private static String name(long compression) {
    return switch ((int) compression) {
      case 2, 3, 4 -> "CCITT";
      case 6, 7 -> "JPEG";
      case 34887 -> "LERC";
      case 34925 -> "LZMA";
      case 50001 -> "WEBP";
      case 50002 -> "JPEG XL";
      default -> "of number %d".formatted(compression);
    };
  }
}
