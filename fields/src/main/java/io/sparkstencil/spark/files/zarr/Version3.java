/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Metadata of version 3: a file {@code zarr.json} in the folder of each array and group. */
final class Version3 {
  /** The name of the file of metadata. */
  static final String FILE = "zarr.json";

  private static final Set<String> ENTRIES =
      Set.of(
          "zarr_format",
          "node_type",
          "shape",
          "data_type",
          "chunk_grid",
          "chunk_key_encoding",
          "fill_value",
          "codecs",
          "attributes",
          "dimension_names",
          "storage_transformers",
          "consolidated_metadata");

  private Version3() {}

  /** Returns whether metadata are those of an array, not of a group. */
  static boolean isArray(ZarrJson metadata) {
    ZarrJson version = metadata.get("zarr_format");
    requireNoDraft(metadata);
    if (version.integer() != 3) {
      throw version.unsupported("the version", "store the array in version 2 or 3");
    }
    ZarrJson type = metadata.get("node_type");
    if (!Set.of("array", "group").contains(type.text())) {
      throw type.broken("\"array\" or \"group\"");
    }
    return type.text().equals("array");
  }

  /** A draft named its version by an address, and kept metadata in a folder of their own. */
  static void requireNoDraft(ZarrJson metadata) {
    Optional<ZarrJson> version =
        metadata.find("zarr_format").filter(found -> found.node().isTextual());
    if (version.isPresent()) {
      throw version
          .get()
          .unsupported("the draft of version 3", "write version 2, or version 3 by zarr-python 3");
    }
  }

  /** Returns what metadata of an array say. */
  static ArrayMetadata parse(ZarrJson metadata) {
    requireKnown(metadata);
    ZarrJson chunks = metadata.get("chunk_grid");
    ZarrJson name = chunks.get("name");
    if (!name.text().equals("regular")) {
      throw name.unsupported("the chunk grid", "store chunks of one size, the grid \"regular\"");
    }
    ChunkGrid grid =
        ArrayMetadata.grid(metadata.get("shape"), chunks.get("configuration").get("chunk_shape"));
    CellType type = type(metadata.get("data_type"));
    return new ArrayMetadata(
        grid,
        type,
        FillValue.parse(metadata.find("fill_value"), type),
        false,
        ChunkKeys.parse(metadata.get("chunk_key_encoding")),
        CodecsJson.parse(metadata.get("codecs"), type, grid.chunk()),
        metadata.find("dimension_names").map(Version3::names).orElse(List.of()),
        attributes(metadata));
  }

  /** Returns the attributes in metadata of an array or group. */
  static Map<String, Object> attributes(ZarrJson metadata) {
    return metadata.find("attributes").map(ZarrJson::map).orElse(Map.of());
  }

  private static CellType type(ZarrJson type) {
    return Arrays.stream(CellType.values())
        .filter(each -> type.node().isTextual() && lower(each).equals(type.text()))
        .findFirst()
        .orElseThrow(() -> ArrayMetadata.unsupportedType(type));
  }

  private static String lower(CellType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> names(ZarrJson names) {
    return names.list().stream().map(name -> name.node().isNull() ? "" : name.text()).toList();
  }

  /** Whoever writes an entry that we do not know says whether it may be passed over. */
  private static void requireKnown(ZarrJson metadata) {
    for (String entry : metadata.map().keySet()) {
      boolean must =
          metadata
              .find(entry)
              .flatMap(found -> found.find("must_understand"))
              .map(ZarrJson::truth)
              .orElse(true);
      if (!ENTRIES.contains(entry) && must) {
        throw metadata
            .find(entry)
            .orElse(metadata)
            .unsupported("the extension \"" + entry + "\":", "store the array without it");
      }
    }
    metadata
        .find("storage_transformers")
        .filter(transformers -> !transformers.list().isEmpty())
        .ifPresent(
            transformers -> {
              throw transformers.unsupported("storing by", "store the array without it");
            });
  }

  /** Returns metadata of a group with those of its arrays, by their names. */
  static byte[] group(Map<String, Object> attributes, Map<String, Object> arrays) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("zarr_format", 3);
    document.put("node_type", "group");
    document.put("attributes", attributes);
    Map<String, Object> together = new LinkedHashMap<>();
    together.put("kind", "inline");
    together.put("must_understand", false);
    together.put("metadata", arrays);
    document.put("consolidated_metadata", together);
    return ZarrJson.text(document);
  }

  /** Returns metadata of a group. */
  static byte[] group(Map<String, Object> attributes) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("zarr_format", 3);
    document.put("node_type", "group");
    document.put("attributes", attributes);
    return ZarrJson.text(document);
  }

  /** Returns metadata of an array. */
  static byte[] array(ZarrLayout layout) {
    return ZarrJson.text(document(layout));
  }

  /** Returns metadata of an array, by the names of entries. */
  static Map<String, Object> document(ZarrLayout layout) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("zarr_format", 3);
    document.put("node_type", "array");
    document.put("shape", layout.shape());
    document.put("data_type", lower(CellType.of(layout.type())));
    document.put("chunk_grid", named("regular", Map.of("chunk_shape", layout.chunks().sizes())));
    document.put("chunk_key_encoding", named("default", Map.of("separator", "/")));
    document.put("fill_value", FillValue.json(layout.fill(), layout.type()));
    document.put("codecs", layout.codecs());
    document.put("attributes", layout.attributes());
    if (!layout.dimensionNames().isEmpty()) {
      document.put("dimension_names", layout.dimensionNames());
    }
    return document;
  }

  /** Returns an entry that has a name and settings. */
  static Map<String, Object> named(String name, Map<String, ?> settings) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", name);
    entry.put("configuration", settings);
    return entry;
  }
}
