/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.PlainCells;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Metadata of version 2: files {@code .zarray}, {@code .zgroup} and {@code .zattrs}. */
final class Version2 {
  /** The name of the file of metadata of an array. */
  static final String ARRAY_FILE = ".zarray";

  /** The name of the file of metadata of a group. */
  static final String GROUP_FILE = ".zgroup";

  /** The name of the file of attributes. */
  static final String ATTRIBUTES_FILE = ".zattrs";

  /**
   * Where xarray keeps the names of axes. The fill value of its arrays is what the attribute {@code
   * _FillValue} was.
   */
  private static final String NAMES = "_ARRAY_DIMENSIONS";

  private Version2() {}

  /** Returns what metadata of an array say. */
  static ArrayMetadata parse(ZarrJson metadata, StoredFile folder) {
    requireVersion(metadata);
    ChunkGrid grid = ArrayMetadata.grid(metadata.get("shape"), metadata.get("chunks"));
    CellFormat format = format(metadata.get("dtype"));
    List<BytesCodec> bytes = new ArrayList<>();
    metadata.find("filters").ifPresent(filters -> bytes.addAll(FiltersJson.parse(filters)));
    metadata.find("compressor").map(Version2::compression).ifPresent(bytes::add);
    Optional<ZarrJson> attributes = ZarrJson.read(folder.child(ATTRIBUTES_FILE));
    return new ArrayMetadata(
        grid,
        format.type(),
        FillValue.parse(metadata.find("fill_value"), format.type()),
        attributes.flatMap(found -> found.find(NAMES)).isPresent(),
        ChunkKeys.version2(metadata),
        new CodecChain(
            axes(metadata.get("order"), grid.shape().size()), new PlainCells(format), bytes),
        attributes.flatMap(found -> found.find(NAMES)).map(Version2::names).orElse(List.of()),
        attributes.map(ZarrJson::map).orElse(Map.of()));
  }

  /** Returns the attributes of an array or group. */
  static Map<String, Object> attributes(StoredFile folder) {
    return ZarrJson.read(folder.child(ATTRIBUTES_FILE)).map(ZarrJson::map).orElse(Map.of());
  }

  /** Returns metadata of an array, by the names of entries. */
  static Map<String, Object> array(ZarrLayout layout) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("zarr_format", 2);
    document.put("shape", layout.shape());
    document.put("chunks", layout.chunks().sizes());
    document.put("dtype", "<f" + CellType.of(layout.type()).bytes());
    document.put("compressor", compressor(layout.compression()));
    document.put("fill_value", FillValue.json(layout.fill(), layout.type()));
    document.put("order", "C");
    document.put("filters", null);
    return document;
  }

  private static Map<String, Object> compressor(ZarrCompression compression) {
    return switch (compression) {
      case NONE -> null;
      case GZIP -> Map.of("id", "gzip", "level", compression.level());
      case ZSTD -> Map.of("id", "zstd", "level", compression.level());
    };
  }

  /** Returns the attributes of an array, with the names of its axes. */
  static Map<String, Object> attributes(ZarrLayout layout) {
    Map<String, Object> attributes = new LinkedHashMap<>(layout.attributes());
    if (!layout.dimensionNames().isEmpty()) {
      attributes.put(NAMES, layout.dimensionNames());
    }
    return attributes;
  }

  static void requireVersion(ZarrJson metadata) {
    ZarrJson version = metadata.get("zarr_format");
    if (version.integer() != 2) {
      throw version.broken("version 2");
    }
  }

  private static List<String> names(ZarrJson names) {
    return names.list().stream().map(ZarrJson::text).toList();
  }

  private static CellFormat format(ZarrJson type) {
    return (type.node().isTextual()
            ? CellFormat.ofNumpy(type.text())
            : Optional.<CellFormat>empty())
        .orElseThrow(() -> ArrayMetadata.unsupportedType(type));
  }

  private static List<Integer> axes(ZarrJson order, int dimensions) {
    List<Integer> axes = new ArrayList<>(CodecChain.inOrder(dimensions));
    switch (order.text()) {
      case "C" -> {}
      case "F" -> Collections.reverse(axes);
      default -> throw order.broken("\"C\" or \"F\"");
    }
    return axes;
  }

  private static BytesCodec compression(ZarrJson compressor) {
    ZarrJson name = compressor.get("id");
    return FiltersJson.compression(name)
        .orElseThrow(
            () ->
                name.unsupported(
                    "the compressor",
                    "store the array with zstd, gzip, zlib, blosc or no compressor"));
  }
}
