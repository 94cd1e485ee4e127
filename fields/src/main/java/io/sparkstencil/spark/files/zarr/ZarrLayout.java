/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.Checksum;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.PlainCells;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a new array is stored.
 *
 * @param type the type of cells: {@link ElementType#F32} or {@link ElementType#F64}
 * @param shape the cells along each axis, slowest first: 1 to 3 axes
 * @param chunks the cells of a chunk along each axis; each chunk is one file
 * @param compression how chunks are compressed
 * @param checked whether each chunk ends with a checksum, which readers compare
 * @param fill the value of cells in chunks that are not stored
 * @param dimensionNames a name for each axis, or nothing
 * @param attributes strings, numbers, truth values, lists and maps, by name
 * @param version 3, or 2 for readers that know no other
 */
public record ZarrLayout(
    ElementType type,
    List<Long> shape,
    Extent chunks,
    ZarrCompression compression,
    boolean checked,
    double fill,
    List<String> dimensionNames,
    Map<String, Object> attributes,
    int version)
    implements Serializable {
  /** Readers may make doubles of all cells of a chunk. */
  private static final int MOST_CELLS = Integer.MAX_VALUE / Double.BYTES;

  /**
   * Larger boxes are stored in several chunks: who reads or writes one needs memory for all of it.
   */
  private static final long MOST_BOX_BYTES = 512L << 20;

  /** Sizes without small divisors make many files: no smaller ones, if the box may be one chunk. */
  private static final long LEAST_PART_BYTES = 8 << 20;

  /** The bytes of chunks below which a box that is too large for one chunk is refused. */
  private static final long LEAST_CHUNK_BYTES = 4 << 10;

  /** Checks that the parts fit each other. */
  public ZarrLayout {
    shape = List.copyOf(shape);
    dimensionNames = List.copyOf(dimensionNames);
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    CellType cell = CellType.of(type);
    FieldChecks.requireShape(shape, "the array");
    if (chunks.dimensions() != shape.size()) {
      throw FieldFileException.wrongCall(
          "chunks of %s cells do not divide an array of %s; give a size for each axis"
              .formatted(chunks.sizes(), shape));
    }
    if (chunks.cells() > MOST_CELLS) {
      throw FieldFileException.wrongCall(
          "chunks of %s cells of %d bytes are too large; use chunks of at most %d cells"
              .formatted(chunks.sizes(), cell.bytes(), MOST_CELLS));
    }
    if (!dimensionNames.isEmpty() && dimensionNames.size() != shape.size()) {
      throw FieldFileException.wrongCall(
          "the names %s do not fit the shape %s; give a name for each axis, or none"
              .formatted(dimensionNames, shape));
    }
    ZarrJson.text(attributes);
    if (version != 3 && (version != 2 || checked)) {
      throw FieldFileException.wrongCall(
          "version %d of Zarr is not written%s; use 3, or 2 without checksums"
              .formatted(version, checked ? " with checksums" : ""));
    }
  }

  /** Returns a layout with Zstandard compression, checksums, fill value 0, and nothing else. */
  public static ZarrLayout of(ElementType type, List<Long> shape, Extent chunks) {
    return new ZarrLayout(
        type, shape, chunks, ZarrCompression.ZSTD, true, 0, List.of(), Map.of(), 3);
  }

  /**
   * Returns a layout, as {@link #of} does, of an array that is written in boxes: each has one
   * chunk, or several if it is large and can be cut into parts that are not small.
   *
   * @param boxes the cells of a box along each axis
   */
  public static ZarrLayout ofBoxes(ElementType type, List<Long> shape, Extent boxes) {
    Extent parts = chunks(boxes, MOST_BOX_BYTES / type.bytes());
    long least = boxes.cells() <= MOST_CELLS ? LEAST_PART_BYTES : LEAST_CHUNK_BYTES;
    boolean isCut = (long) parts.cells() * type.bytes() >= least;
    return of(type, shape, isCut ? parts : boxes);
  }

  /**
   * Cuts boxes into equal chunks.
   *
   * @param mostCells those of a chunk
   */
  static Extent chunks(Extent boxes, long mostCells) {
    List<Integer> sizes = new ArrayList<>(boxes.sizes());
    for (long cells = boxes.cells(); cells > mostCells; ) {
      long parts = (cells + mostCells - 1) / mostCells;
      int best = 0;
      for (int axis = 1; axis < sizes.size(); axis++) {
        if (divisor(sizes.get(axis), parts) < divisor(sizes.get(best), parts)
            || sizes.get(best) == 1) {
          best = axis;
        }
      }
      int divisor = (int) Math.min(sizes.get(best), divisor(sizes.get(best), parts));
      sizes.set(best, sizes.get(best) / divisor);
      cells /= divisor;
    }
    return new Extent(sizes);
  }

  /** Returns the least divisor of a size that makes so many parts or more; no int if none does. */
  private static long divisor(int size, long parts) {
    for (long divisor = parts; divisor <= size; divisor++) {
      if (size % divisor == 0) {
        return divisor;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Returns this layout with another compression. */
  public ZarrLayout withCompression(ZarrCompression other) {
    return new ZarrLayout(
        type, shape, chunks, other, checked, fill, dimensionNames, attributes, version);
  }

  /** Returns this layout without a checksum behind each chunk, for readers that know none. */
  public ZarrLayout withoutChecksums() {
    return new ZarrLayout(
        type, shape, chunks, compression, false, fill, dimensionNames, attributes, version);
  }

  /** Returns this layout with another fill value. */
  public ZarrLayout withFill(double other) {
    return new ZarrLayout(
        type, shape, chunks, compression, checked, other, dimensionNames, attributes, version);
  }

  /** Returns this layout with names of axes. */
  public ZarrLayout withDimensionNames(List<String> names) {
    return new ZarrLayout(
        type, shape, chunks, compression, checked, fill, names, attributes, version);
  }

  /** Returns this layout with attributes. */
  public ZarrLayout withAttributes(Map<String, Object> other) {
    return new ZarrLayout(
        type, shape, chunks, compression, checked, fill, dimensionNames, other, version);
  }

  /** Returns this layout in version 2, which has no checksums. */
  public ZarrLayout inVersion2() {
    return new ZarrLayout(
        type, shape, chunks, compression, false, fill, dimensionNames, attributes, 2);
  }

  /** Returns how the files of chunks are named. */
  ChunkKeys keys() {
    return version == 2 ? new ChunkKeys("", ".") : ChunkKeys.byDefault();
  }

  /** Returns the files of metadata by their names, the one that makes a folder an array last. */
  Map<String, Map<String, Object>> metadata() {
    Map<String, Map<String, Object>> files = new LinkedHashMap<>();
    if (version == 2) {
      files.put(Version2.ATTRIBUTES_FILE, Version2.attributes(this));
      files.put(Version2.ARRAY_FILE, Version2.array(this));
    } else {
      files.put(Version3.FILE, Version3.document(this));
    }
    return files;
  }

  PlainCells cellsCodec() {
    return new PlainCells(new CellFormat(CellType.of(type), false));
  }

  List<BytesCodec> bytesCodecs() {
    List<BytesCodec> codecs = new ArrayList<>();
    switch (compression) {
      case NONE -> {}
      case GZIP -> codecs.add(new Compression(Compression.Method.GZIP, compression.level()));
      case ZSTD -> codecs.add(new Compression(Compression.Method.ZSTD, compression.level()));
    }
    if (checked) {
      codecs.add(new Checksum());
    }
    return codecs;
  }

  /** Returns the entry {@code codecs} of metadata. */
  List<Map<String, Object>> codecs() {
    List<Map<String, Object>> codecs = new ArrayList<>();
    codecs.add(Version3.named("bytes", Map.of("endian", "little")));
    switch (compression) {
      case NONE -> {}
      case GZIP -> codecs.add(Version3.named("gzip", Map.of("level", compression.level())));
      case ZSTD ->
          codecs.add(
              Version3.named("zstd", Map.of("level", compression.level(), "checksum", false)));
    }
    if (checked) {
      codecs.add(Map.of("name", "crc32c"));
    }
    return codecs;
  }
}
