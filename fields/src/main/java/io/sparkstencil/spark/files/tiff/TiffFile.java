/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.ShortText;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.cells.WindowedBytes;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.BufferUnderflowException;
import java.nio.file.AccessDeniedException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Opens the first image of a TIFF file, BigTIFF too: in tiles or strips of integers or
 * floating-point numbers, without compression or with LZW, deflate, PackBits or zstd, and with any
 * predictor. Overviews are not looked at. Cells that GDAL calls nodata become NaN.
 */
public final class TiffFile {
  /** The setting of file systems that limits the bytes of the cells of a tile or strip. */
  public static final String CHUNK_BYTES = "stencil.tiff.chunk.bytes";

  private static final long MOST_CHUNK_BYTES = 1L << 30;
  private static final int MOST_IMAGES = 4096;
  private static final int SUBFILE = 254;
  private static final int MASK = 4;
  private static final int GDAL_METADATA = 42112;
  private static final int GDAL_NODATA = 42113;

  /** Windows wrote NaN as {@code -1.#IND} and {@code 1.#QNAN}. */
  private static final Pattern NAN =
      Pattern.compile("[+-]?(nan|1\\.#(ind|[qs]nan)0*)", Pattern.CASE_INSENSITIVE);

  private static final Pattern ITEM = Pattern.compile("<Item\\s([^>]*)>([^<]*)</Item>");
  private static final Pattern ROLE = Pattern.compile("role=\"(scale|offset)\"");
  private static final Pattern SAMPLE = Pattern.compile("sample=\"(\\d{1,6})\"");

  private static final String REMEDY =
      "write it by gdal_translate -co TILED=YES -co COMPRESS=DEFLATE in.tif out.tif";

  private TiffFile() {}

  /**
   * Begins a file that tasks write box by box, in rows and columns.
   *
   * @param boxes the cells of the boxes that tasks write, along each axis: multiples of 16 if they
   *     are not as long as the raster
   * @param attributes of a field, as {@link FileArray#attributes} has them: those that say where a
   *     raster lies on the Earth become tags
   */
  public static FieldWriter create(
      String path,
      ElementType type,
      List<Long> shape,
      Extent boxes,
      Map<String, Object> attributes,
      Configuration hadoop) {
    Map<String, Object> place = GeoTransform.tagsOf(attributes);
    return TiffWriter.begin(StoredFile.of(path, hadoop), type, shape, boxes, place);
  }

  /**
   * Opens the image.
   *
   * @param file what begins as a TIFF file does
   * @param raw whether the numbers are read as they are stored
   * @throws FieldFileException if it is broken, or fields cannot be read from it
   */
  public static FileArray open(StoredFile file, boolean raw, Configuration hadoop) {
    long bytes = file.length().orElseThrow(file::missing);
    if (!raw) {
      requireNoMaskBeside(file, hadoop);
    }
    FSDataInputStream in = file.open();
    try {
      long most = Math.min(hadoop.getLong(CHUNK_BYTES, MOST_CHUNK_BYTES), Integer.MAX_VALUE / 2);
      return image(file, ChunkBytes.of(in, bytes), raw, most, in);
    } catch (IOException
        | FieldFileException
        | BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException
        | ArithmeticException e) {
      try {
        in.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw failure(file, e);
    }
  }

  /** GDAL keeps masks of valid cells in such files too. */
  private static void requireNoMaskBeside(StoredFile file, Configuration hadoop) {
    String mask = file + ".msk";
    boolean exists;
    try {
      exists = StoredFile.of(mask, hadoop).isFile();
    } catch (FieldFileException e) {
      if (!(e.getCause() instanceof AccessDeniedException)) {
        throw e;
      }
      exists = false; // so do object stores answer of what is not there, without the right to list
    }
    if (exists) {
      throw masked("%s has a mask of valid cells beside it, %s,".formatted(file, mask));
    }
  }

  private static FieldFileException masked(String what) {
    return FieldFileException.unsupported(
        what
            + " which is not read; give the others a nodata value, by gdalwarp -dstnodata -9999 in.tif out.tif, or read the stored numbers as they are (raw)");
  }

  private static FieldFileException failure(StoredFile file, Exception e) {
    if (e instanceof FieldFileException known) {
      return known;
    }
    return e instanceof TiffImage.Unread
        ? FieldFileException.unsupported(
            "%s has %s, which is not read; %s".formatted(file, e.getMessage(), REMEDY))
        : FieldFileException.broken(
            "%s cannot be read: %s; is the file broken?"
                .formatted(
                    file, e instanceof IOException ? e.getMessage() : "a structure ends too early"),
            e);
  }

  private static FileArray image(
      StoredFile file, ChunkBytes bytes, boolean raw, long mostChunkBytes, FSDataInputStream in)
      throws IOException {
    WindowedBytes metadata = new WindowedBytes(bytes);
    TiffDirectory tags = TiffDirectory.first(metadata);
    TiffImage image = TiffImage.of(tags, mostChunkBytes);
    FieldChecks.requireStored(image.shape(), file);
    if (!raw) {
      requireNoMask(file, tags, metadata);
    }
    CellType type = image.format().type();
    Optional<Number> nodata =
        nodata(file, tags, raw)
            .filter(number -> !Double.isNaN(number.doubleValue()) || type.isFloating());
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (Map.Entry<String, Integer> each : new TreeMap<>(GeoTransform.TAGS).entrySet()) {
      if (tags.has(each.getValue())) {
        TiffDirectory.Values values = tags.tags().get(each.getValue());
        attributes.put(each.getKey(), values.isText() ? values.characters() : values.numbers());
      }
    }
    return new FileArray(
        new FileArray.Facts(
            file.toString(),
            image.shape(),
            image.bands() == 1 ? List.of("y", "x") : List.of("band", "y", "x"),
            attributes,
            nodata.filter(type::holds).or(() -> Optional.of(0)),
            new GeoTransform(attributes)::along),
        raw ? CellPacking.none(type) : packing(file, tags, image, nodata),
        image.cells(bytes),
        in);
  }

  /** Cells that another image says are not valid would be read as numbers. */
  private static void requireNoMask(StoredFile file, TiffDirectory first, WindowedBytes bytes)
      throws IOException {
    TiffDirectory each = first;
    Set<Long> seen = new HashSet<>();
    while (each.next() != 0 && seen.size() < MOST_IMAGES) {
      if (!seen.add(each.next())) {
        throw new IOException("its images follow each other in a circle");
      }
      each = each.next(bytes);
      if ((each.integer(SUBFILE, 0) & MASK) != 0) {
        throw masked("%s has a mask of valid cells,".formatted(file));
      }
    }
  }

  /** Stored numbers can be read where nobody knows what the text stands for. */
  private static Optional<Number> nodata(StoredFile file, TiffDirectory tags, boolean raw)
      throws IOException {
    if (!tags.has(GDAL_NODATA)) {
      return Optional.empty();
    }
    String text = tags.tags().get(GDAL_NODATA).text().strip();
    if (NAN.matcher(text).matches()) {
      return Optional.of(Double.NaN);
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "" -> Optional.empty();
      case "inf", "+inf", "infinity", "1.#inf" -> Optional.of(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity", "-1.#inf" -> Optional.of(Double.NEGATIVE_INFINITY);
      default -> {
        try {
          yield Optional.of(number(file, text));
        } catch (FieldFileException e) {
          if (!raw) {
            throw e;
          }
          yield Optional.empty();
        }
      }
    };
  }

  /** Integers keep all their digits. */
  private static Number number(StoredFile file, String text) {
    try {
      return text.matches("[+-]?\\d{1,30}")
          ? new BigDecimal(text).toBigIntegerExact()
          : (Number) Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw FieldFileException.unsupported(
          "%s has the nodata value \"%s\", which is not a number; correct it by gdal_edit.py -a_nodata, or read the stored numbers as they are (raw)"
              .formatted(file, ShortText.of(text)));
    }
  }

  private static CellPacking packing(
      StoredFile file, TiffDirectory tags, TiffImage image, Optional<Number> nodata)
      throws IOException {
    Map<String, Map<Integer, Double>> factors = factors(file, tags);
    CellType type = image.format().type();
    return new CellPacking(
        type,
        type,
        nodata.filter(number -> !Double.isNaN(number.doubleValue())).stream().toList(),
        Optional.empty(),
        Optional.empty(),
        factor(file, image, factors.getOrDefault("scale", Map.of()), 1),
        factor(file, image, factors.getOrDefault("offset", Map.of()), 0),
        false);
  }

  /** Returns what GDAL says of scales and offsets, by bands. */
  private static Map<String, Map<Integer, Double>> factors(StoredFile file, TiffDirectory tags)
      throws IOException {
    Map<String, Map<Integer, Double>> factors = new HashMap<>();
    if (!tags.has(GDAL_METADATA)) {
      return factors;
    }
    Matcher items = ITEM.matcher(tags.tags().get(GDAL_METADATA).text());
    while (items.find()) {
      Matcher role = ROLE.matcher(items.group(1));
      Matcher sample = SAMPLE.matcher(items.group(1));
      if (role.find() && sample.find()) {
        factors
            .computeIfAbsent(role.group(1), key -> new HashMap<>())
            .put(
                Integer.parseInt(sample.group(1)),
                number(file, items.group(2).strip()).doubleValue());
      }
    }
    return factors;
  }

  private static Optional<Double> factor(
      StoredFile file, TiffImage image, Map<Integer, Double> byBand, double neutral) {
    double first = byBand.getOrDefault(0, neutral);
    for (int band = 1; band < image.bands(); band++) {
      if (byBand.getOrDefault(band, neutral) != first) {
        throw FieldFileException.unsupported(
            "%s has bands of different scales or offsets; write one of them by gdal_translate -b, or read the stored numbers as they are (raw)"
                .formatted(file));
      }
    }
    return first == neutral ? Optional.empty() : Optional.of(first);
  }
}
