/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.codec.Blosc;
import io.sparkstencil.spark.files.codec.BytesCodec;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.LeadingChecksum;
import io.sparkstencil.spark.files.codec.NumberFilter;
import io.sparkstencil.spark.files.codec.NumberFilter.NumberChange;
import io.sparkstencil.spark.files.codec.PackedBits;
import io.sparkstencil.spark.files.codec.ShuffledBytes;
import java.util.List;
import java.util.Optional;

/** Reads filters in metadata of version 2, which are codecs of the Python library numcodecs. */
final class FiltersJson {
  private FiltersJson() {}

  /** Returns filters in the order in which cells went through them. */
  static List<BytesCodec> parse(ZarrJson filters) {
    return filters.list().stream().flatMap(filter -> parseOne(filter).stream()).toList();
  }

  /** Returns a filter, or nothing if there is nothing to undo. */
  private static Optional<BytesCodec> parseOne(ZarrJson filter) {
    ZarrJson name = filter.get("id");
    return switch (name.text()) {
      case "bitround" -> Optional.empty();
      case "quantize" -> converted(filter, "astype", "dtype");
      case "astype" -> converted(filter, "encode_dtype", "decode_dtype");
      case "delta" -> Optional.of(numbers(NumberChange.DELTA, filter, 1, 0));
      case "fixedscaleoffset" -> Optional.of(scaled(filter));
      case "shuffle" -> Optional.of(shuffle(filter));
      case "packbits" -> Optional.of(new PackedBits());
      case "crc32" -> Optional.of(new LeadingChecksum(false));
      case "adler32" -> Optional.of(new LeadingChecksum(true));
      default ->
          Optional.of(
              compression(name)
                  .orElseThrow(
                      () -> name.unsupported("the filter", "store the array without filters")));
    };
  }

  /** Returns what undoes a compression, if it is a known one. */
  static Optional<BytesCodec> compression(ZarrJson name) {
    return switch (name.text()) {
      case "zlib" -> Optional.of(new Compression(Compression.Method.ZLIB, 1));
      case "gzip" -> Optional.of(new Compression(Compression.Method.GZIP, 1));
      case "zstd" -> Optional.of(new Compression(Compression.Method.ZSTD, 1));
      case "blosc" -> Optional.of(new Blosc());
      default -> Optional.empty();
    };
  }

  /** Returns what undoes shuffling. netcdf-c writes numbers of settings as strings. */
  static BytesCodec shuffle(ZarrJson settings) {
    ZarrJson size = settings.get("elementsize");
    String text = size.node().asText();
    if (!text.matches("[1-9][0-9]{0,2}")) {
      throw size.broken("1 to 999 bytes");
    }
    return new ShuffledBytes(Integer.parseInt(text));
  }

  private static Optional<BytesCodec> converted(ZarrJson filter, String stored, String made) {
    CellFormat to = format(filter.get(made));
    CellFormat from = filter.find(stored).map(FiltersJson::format).orElse(to);
    return from.equals(to)
        ? Optional.empty()
        : Optional.of(new NumberFilter(NumberChange.CONVERTED, from, to, 1, 0));
  }

  private static NumberFilter scaled(ZarrJson filter) {
    double scale = number(filter.get("scale"));
    if (scale == 0) {
      throw filter.get("scale").broken("a number other than 0");
    }
    NumberFilter scaled = numbers(NumberChange.SCALED, filter, scale, number(filter.get("offset")));
    if (scaled.stored().type().isFloating()) {
      throw filter
          .get("astype")
          .unsupported("scaling to the type", "store scaled cells as integers");
    }
    return scaled;
  }

  private static NumberFilter numbers(
      NumberChange kind, ZarrJson filter, double scale, double offset) {
    CellFormat made = format(filter.get("dtype"));
    CellFormat stored = filter.find("astype").map(FiltersJson::format).orElse(made);
    if (stored.type().isFloating() && !made.type().isFloating()) {
      throw filter.unsupported("filtering by", "store the array without filters");
    }
    return new NumberFilter(kind, stored, made, scale, offset);
  }

  private static double number(ZarrJson value) {
    if (!value.node().isNumber()) {
      throw value.broken("a number");
    }
    return value.node().doubleValue();
  }

  private static CellFormat format(ZarrJson type) {
    return CellFormat.ofNumpy(type.text())
        .filter(format -> format.type() != CellType.FLOAT16)
        .orElseThrow(
            () -> type.unsupported("filtering cells of type", "store the array without filters"));
  }
}
