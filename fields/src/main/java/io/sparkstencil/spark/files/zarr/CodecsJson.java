/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.codec.Blosc;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.CellsCodec;
import io.sparkstencil.spark.files.codec.Checksum;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.PlainCells;
import io.sparkstencil.spark.files.codec.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads lists of codecs in metadata of version 3. */
final class CodecsJson {
  private static final String REMEDY =
      "store the array with bytes, transpose, gzip, zstd, blosc, crc32c or sharding_indexed";

  /** The most codecs of an array, those of chunks inside shards among them. */
  private static final int MOST_CODECS = 16;

  private final CellType type;
  private List<Integer> axes;
  private CellsCodec cells;
  private final List<BytesCodec> bytes = new ArrayList<>();

  private final int[] left; // codecs that an array may still have

  private CodecsJson(CellType type, int dimensions, int[] left) {
    this.type = type;
    this.left = left;
    this.axes = CodecChain.inOrder(dimensions);
  }

  /** Returns the codecs of chunks of an extent. */
  static CodecChain parse(ZarrJson codecs, CellType type, Extent chunk) {
    return parse(codecs, type, chunk, new int[] {MOST_CODECS});
  }

  private static CodecChain parse(ZarrJson codecs, CellType type, Extent chunk, int[] left) {
    CodecsJson found = new CodecsJson(type, chunk.dimensions(), left);
    for (ZarrJson codec : codecs.list()) {
      if (--left[0] < 0) {
        throw codec.unsupported(
            "after %d others the codec".formatted(MOST_CODECS), "store the array with fewer");
      }
      found.add(codec, chunk);
    }
    if (found.cells == null) {
      throw codecs.broken("one of the codecs bytes and sharding_indexed");
    }
    return new CodecChain(found.axes, found.cells, found.bytes);
  }

  private void add(ZarrJson codec, Extent chunk) {
    ZarrJson name = name(codec);
    Optional<ZarrJson> settings = codec.find("configuration");
    switch (name.text()) {
      case "transpose" -> transpose(codec, required(codec, settings).get("order"));
      case "bytes" -> cells(codec, new PlainCells(format(codec, settings)));
      case "sharding_indexed" -> cells(codec, shards(required(codec, settings), chunk));
      case "gzip" -> bytes(codec, new Compression(Compression.Method.GZIP, 1));
      case "zstd" -> bytes(codec, new Compression(Compression.Method.ZSTD, 1));
      case "blosc" -> bytes(codec, new Blosc());
      case "crc32c" -> bytes(codec, new Checksum());
      case "numcodecs.bitround" -> requireFirst(codec); // what is stored are cells
      case "numcodecs.shuffle" -> bytes(codec, FiltersJson.shuffle(required(codec, settings)));
      case "numcodecs.zlib" -> bytes(codec, new Compression(Compression.Method.ZLIB, 1));
      default -> throw name.unsupported("the codec", REMEDY);
    }
  }

  /** A codec is an object with a name, or a name alone. */
  private static ZarrJson name(ZarrJson codec) {
    return codec.node().isTextual() ? codec : codec.get("name");
  }

  private static ZarrJson required(ZarrJson codec, Optional<ZarrJson> settings) {
    return settings.orElseThrow(() -> codec.broken("an entry \"configuration\""));
  }

  private void requireFirst(ZarrJson codec) {
    if (cells != null) {
      throw codec.broken("this codec before the one that makes bytes of cells");
    }
  }

  private void transpose(ZarrJson codec, ZarrJson order) {
    requireFirst(codec);
    List<Long> turned = order.integers();
    if (!new TreeSet<>(turned).equals(new TreeSet<>(axes.stream().map(Integer::longValue).toList()))
        || turned.size() != axes.size()) {
      throw order.broken("each of %d axes once".formatted(axes.size()));
    }
    List<Integer> before = axes;
    axes = turned.stream().map(axis -> before.get(Math.toIntExact(axis))).toList();
  }

  private void cells(ZarrJson codec, CellsCodec made) {
    if (cells != null) {
      throw codec.broken("a single codec that makes bytes of cells");
    }
    cells = made;
  }

  private void bytes(ZarrJson codec, BytesCodec made) {
    if (cells == null) {
      throw codec.broken("bytes or sharding_indexed before this codec");
    }
    bytes.add(made);
  }

  private CellFormat format(ZarrJson codec, Optional<ZarrJson> settings) {
    Optional<ZarrJson> endian = settings.flatMap(found -> found.find("endian"));
    if (endian.isEmpty() && type.bytes() > 1) {
      throw codec.broken("an entry \"endian\"");
    }
    return new CellFormat(type, endian.map(CodecsJson::isBig).orElse(false));
  }

  private static boolean isBig(ZarrJson endian) {
    if (!Set.of("big", "little").contains(endian.text())) {
      throw endian.broken("\"big\" or \"little\"");
    }
    return endian.text().equals("big");
  }

  private Shards shards(ZarrJson settings, Extent chunk) {
    ZarrJson sizes = settings.get("chunk_shape");
    Extent inner = ArrayMetadata.extent(sizes);
    List<Integer> outer = axes.stream().map(chunk::size).toList();
    if (inner.dimensions() != outer.size()) {
      throw sizes.broken("one size for each of %d axes".formatted(outer.size()));
    }
    for (int axis = 0; axis < outer.size(); axis++) {
      if (outer.get(axis) % inner.size(axis) != 0) {
        throw sizes.broken("sizes that divide those of the shard, %s".formatted(outer));
      }
    }
    boolean atEnd =
        settings
            .find("index_location")
            .map(
                place -> {
                  if (!Set.of("start", "end").contains(place.text())) {
                    throw place.broken("\"start\" or \"end\"");
                  }
                  return place.text().equals("end");
                })
            .orElse(true);
    return new Shards(
        inner,
        parse(settings.get("codecs"), type, inner, left),
        index(settings.get("index_codecs"), atEnd));
  }

  /** An index has a fixed length: its numbers, and at most a checksum. */
  private static Shards.Index index(ZarrJson codecs, boolean atEnd) {
    List<ZarrJson> list = codecs.list();
    boolean checked = list.size() == 2 && name(list.get(1)).text().equals("crc32c");
    if (list.isEmpty()
        || !name(list.get(0)).text().equals("bytes")
        || !(checked || list.size() == 1)) {
      throw codecs.unsupported("the index of shards with the codecs", "use bytes and crc32c");
    }
    boolean big =
        list.get(0)
            .find("configuration")
            .flatMap(settings -> settings.find("endian"))
            .map(CodecsJson::isBig)
            .orElseThrow(() -> codecs.broken("an entry \"endian\""));
    return new Shards.Index(big, checked, atEnd);
  }
}
