/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.ShortText;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.CfAttributes;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.cells.NetcdfFill;
import io.sparkstencil.spark.files.cells.StoredCells;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Opens arrays in HDF5 files, and so in NetCDF-4 files: contiguous, compact and chunked ones of
 * booleans, integers and floating-point numbers, with the filters {@code gzip}, {@code shuffle},
 * {@code fletcher32}, {@code lzf} and {@code blosc}.
 */
public final class Hdf5File {
  /** The setting of file systems that limits the bytes of the cells of a chunk. */
  public static final String CHUNK_BYTES = "stencil.hdf5.chunk.bytes";

  private static final long MOST_CHUNK_BYTES = 1L << 30;
  private static final int MOST_NAMES = 20;

  /** What netcdf-c writes into arrays that are axes and nothing else. */
  private static final String NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable";

  private final StoredFile file;
  private final FSDataInputStream in;
  private final boolean raw;
  private final long mostChunkBytes;

  private Hdf5File(StoredFile file, FSDataInputStream in, boolean raw, long mostChunkBytes) {
    this.file = file;
    this.in = in;
    this.raw = raw;
    this.mostChunkBytes = mostChunkBytes;
  }

  /**
   * Opens an array.
   *
   * @param file what begins as an HDF5 file does
   * @param path of the array in it, such as {@code group/t2m}
   * @param raw whether the numbers are read as they are stored
   * @throws FieldFileException if there is no such array, or one that fields cannot be read from
   */
  public static FileArray open(StoredFile file, String path, boolean raw, Configuration hadoop) {
    long bytes = file.length().orElseThrow(file::missing);
    FSDataInputStream in = file.open();
    try {
      long most = hadoop.getLong(CHUNK_BYTES, MOST_CHUNK_BYTES);
      return new Hdf5File(file, in, raw, Math.min(most, Integer.MAX_VALUE / 2))
          .array(ChunkBytes.of(in, bytes), path);
    } catch (IOException | RuntimeException e) {
      try {
        in.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw failure(file, path, e);
    }
  }

  private static RuntimeException failure(StoredFile file, String path, Exception e) {
    if (e instanceof FieldFileException known) {
      return known;
    }
    String name = path.isEmpty() ? file.toString() : file + "/" + path;
    if (e instanceof UnsupportedHdf5 kind) {
      return FieldFileException.unsupported(
          "%s has %s, which is not read; %s".formatted(name, kind.getMessage(), kind.remedy()));
    }
    boolean broken =
        e instanceof IOException
            || e instanceof BufferUnderflowException
            || e instanceof IndexOutOfBoundsException
            || e instanceof IllegalArgumentException
            || e instanceof ArithmeticException;
    if (!broken) {
      return (RuntimeException) e;
    }
    String why = e instanceof IOException ? e.getMessage() : "a structure ends too early";
    return FieldFileException.broken(
        "%s cannot be read: %s; is the file broken?".formatted(name, why), e);
  }

  private FileArray array(ChunkBytes bytes, String path) throws IOException {
    Superblock superblock =
        Superblock.find(bytes).orElseThrow(() -> new IOException("it does not begin as HDF5 does"));
    Storage storage = superblock.storage();
    Optional<ObjectHeader> found = Links.find(storage, superblock.root(), path);
    if (found.isEmpty() || found.get().find(ObjectHeader.DATASPACE).isEmpty()) {
      throw noArray(storage, superblock.root(), path, found);
    }
    ObjectHeader header = found.get();
    String name = file + "/" + path;
    Datatype type = Datatype.of(storage, header.get(ObjectHeader.DATATYPE, "type of cells"));
    CellFormat format =
        type.format()
            .orElseThrow(
                () ->
                    FieldFileException.unsupported(
                        "%s has cells that are %s; %s"
                            .formatted(
                                name,
                                type.kind(),
                                CellType.remedy(
                                    type.kind().contains("complex") ? "complex" : "",
                                    "store them as integers or floating-point numbers of 2 to 8 bytes"))));
    Dataspace space =
        Dataspace.read(storage, header.get(ObjectHeader.DATASPACE, "shape").own("a shape"));
    if (space.none()) {
      throw FieldFileException.unsupported("%s has no cells at all".formatted(name));
    }
    FieldChecks.requireStored(space.shape(), name);
    StoredCells cells = Layout.read(storage, header, space, format, mostChunkBytes);
    Attributes attributes = Attributes.of(storage, header, raw ? List.of() : CfAttributes.DECODING);
    Map<String, Object> values = attributes.values();
    if (values.get("NAME") instanceof String text && text.startsWith(NO_VARIABLE)) {
      throw FieldFileException.wrongCall(
          "%s is an axis without coordinates; name a variable".formatted(name));
    }
    Optional<Number> fill = FillNumber.of(header, format);
    boolean netcdf = NetcdfNames.isNetcdf(storage, superblock.root(), attributes);
    List<String> axes =
        NetcdfNames.axes(storage, superblock.root(), path, space.shape().size(), attributes);
    return new FileArray(
        new FileArray.Facts(
            name, space.shape(), axes, values, fill, (axis, first, count) -> Optional.empty()),
        packing(name, format.type(), values, fill, netcdf),
        cells,
        in);
  }

  private CellPacking packing(
      String name,
      CellType type,
      Map<String, Object> attributes,
      Optional<Number> fill,
      boolean netcdf) {
    if (raw) {
      return CellPacking.none(type);
    }
    boolean fills = netcdf && !attributes.containsKey(CfAttributes.FILL);
    Optional<Number> usual =
        NetcdfFill.of(type)
            .filter(number -> fills && fill.isPresent() && isSame(number, fill.get(), type));
    return new CfAttributes(name, type, attributes).packing(usual);
  }

  private static boolean isSame(Number one, Number other, CellType type) {
    return type.isFloating()
        ? type.rounded(one) == type.rounded(other)
        : one.toString().equals(other.toString());
  }

  private FieldFileException noArray(
      Storage storage, long root, String path, Optional<ObjectHeader> found) throws IOException {
    String inside = path;
    Optional<ObjectHeader> group = found;
    while (group.isEmpty()) {
      inside = inside.contains("/") ? inside.substring(0, inside.lastIndexOf('/')) : "";
      group = Links.find(storage, root, inside);
    }
    String place = inside.isEmpty() ? file.toString() : file + "/" + inside;
    List<String> arrays = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    for (Map.Entry<String, Links.Link> each : Links.of(storage, group.get()).entrySet()) {
      if (arrays.size() + groups.size() >= MOST_NAMES
          || each.getValue().header() == Storage.NOWHERE) {
        continue;
      }
      ObjectHeader child = ObjectHeader.read(storage, each.getValue().header());
      if (child.find(ObjectHeader.DATASPACE).isPresent()) {
        arrays.add(each.getKey());
      } else if (Links.isGroup(child)) {
        groups.add(each.getKey());
      }
    }
    String what =
        arrays.isEmpty()
            ? "of the groups %s; name an array in one of them".formatted(groups)
            : "of the arrays %s%s; name one of them, such as %s/%s"
                .formatted(
                    arrays,
                    groups.isEmpty() ? "" : " and the groups " + groups,
                    place,
                    FieldChecks.inPath(arrays.get(arrays.size() - 1)));
    String missing =
        found.isPresent() ? "" : "there is no %s/%s: ".formatted(file, ShortText.of(path));
    return FieldFileException.wrongCall("%s%s is a group, %s".formatted(missing, place, what));
  }
}
