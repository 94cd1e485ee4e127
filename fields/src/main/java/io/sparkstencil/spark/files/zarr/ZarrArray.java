/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellMeaning;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.FolderFiles;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.CfAttributes;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ChunkGrid;
import io.sparkstencil.spark.files.codec.CodecChain;
import io.sparkstencil.spark.files.codec.ReadAs;
import io.sparkstencil.spark.files.codec.Shards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * A Zarr array: a folder with a file for each chunk. Read are versions 3 and 2, with regular chunks
 * of booleans, integers, or floating-point numbers of 4 or 8 bytes; of version 3 the codecs {@code
 * bytes}, {@code transpose}, {@code gzip}, {@code zstd}, {@code blosc}, {@code crc32c} and {@code
 * sharding_indexed}; of version 2 the compressors {@code gzip}, {@code zlib}, {@code zstd} and
 * {@code blosc}, and filters. Written is version 3. Cells of chunks without a file have the fill
 * value, or NaN if there is none.
 */
public final class ZarrArray implements FieldReader {
  /** As a chunk is read, as it is decoded, and as its cells are. */
  private static final long STAGES_OF_A_CHUNK = 3;

  /** The setting of file systems that limits the bytes of the cells of a chunk. */
  public static final String CHUNK_BYTES = "stencil.zarr.chunk.bytes";

  private static final long MOST_CHUNK_BYTES = 1L << 30;

  /** For how long, and how many, names of files are listed for a note. */
  private static final long MOST_NOTE_NANOS = 5_000_000_000L;

  private static final long MOST_NOTE_NAMES = 1 << 18;

  private final StoredFile folder;
  private final ArrayMetadata metadata;
  private final CellMeaning meaning;
  private final Optional<Number> fill; // of cells that are not stored; nothing if none can have it
  private final Map<String, FileSum> sums; // of all its files; empty if nobody has kept them

  private ZarrArray(
      StoredFile folder,
      ArrayMetadata metadata,
      CellPacking packing,
      Optional<Number> fill,
      Map<String, FileSum> sums) {
    this.folder = folder;
    this.metadata = metadata;
    this.meaning = new CellMeaning(packing);
    // Without a fill value nobody knows what was not written.
    this.fill =
        metadata.fill().unheld().isPresent()
            ? Optional.empty()
            : Optional.of(fill.map(meaning::value).orElse(Double.NaN));
    this.sums = sums;
  }

  /**
   * Opens an array and reads its metadata. Its numbers are decoded as the attributes say by the
   * conventions for climate and forecast data (CF): {@code scale_factor}, {@code add_offset},
   * {@code _FillValue}, {@code missing_value}, {@code valid_range}, {@code valid_min}, {@code
   * valid_max} and {@code _Unsigned}. Missing values become NaN.
   *
   * @param path the array's folder on any file system of Hadoop
   * @param hadoop the settings of file systems
   * @throws FieldFileException if there is no array, or one that fields cannot be read from
   */
  public static ZarrArray open(String path, Configuration hadoop) {
    return open(StoredFile.of(path, hadoop), Map.of()).withSmallChunks(hadoop);
  }

  private ZarrArray withSmallChunks(Configuration hadoop) {
    long most = hadoop.getLong(CHUNK_BYTES, MOST_CHUNK_BYTES);
    long bytes = metadata.codecs().cellsAtOnce(metadata.grid().chunk()) * metadata.type().bytes();
    if (bytes > most) {
      throw FieldFileException.unsupported(
          "%s has chunks of %d bytes, which a task holds as a whole, and %s allows %d; raise it, or store smaller chunks"
              .formatted(folder, bytes, CHUNK_BYTES, most));
    }
    return this;
  }

  /**
   * Opens an array whose numbers are read as they are stored.
   *
   * @param path the array's folder on any file system of Hadoop
   * @param hadoop the settings of file systems
   * @throws FieldFileException if there is no array, or one that fields cannot be read from
   */
  public static ZarrArray openRaw(String path, Configuration hadoop) {
    StoredFile folder = StoredFile.of(path, hadoop);
    ArrayMetadata metadata = metadata(folder);
    return new ZarrArray(
            folder,
            metadata,
            CellPacking.none(metadata.type()),
            metadata.fill().number().or(() -> attributes(folder, metadata).fill()),
            Map.of())
        .withSmallChunks(hadoop);
  }

  /**
   * Opens an array.
   *
   * @param sums what all of its files were when they were written; nothing if that is not known
   */
  static ZarrArray open(StoredFile folder, Map<String, FileSum> sums) {
    if (!sums.isEmpty()) {
      sumOf(Version3.FILE, folder, sums).read(folder.child(Version3.FILE));
    }
    ArrayMetadata metadata = metadata(folder);
    Optional<Number> missing = metadata.fill().number().filter(fill -> metadata.fillIsMissing());
    return new ZarrArray(
        folder,
        metadata,
        attributes(folder, metadata).packing(missing),
        metadata.fill().number(),
        sums);
  }

  private static CfAttributes attributes(StoredFile folder, ArrayMetadata metadata) {
    return new CfAttributes(folder, metadata.type(), metadata.attributes());
  }

  private static ArrayMetadata metadata(StoredFile folder) {
    Optional<ZarrJson> version3 = ZarrJson.read(folder.child(Version3.FILE));
    if (version3.isPresent()) {
      if (!Version3.isArray(version3.get())) {
        throw NoArray.at(folder);
      }
      return Version3.parse(version3.get());
    }
    Optional<ZarrJson> version2 = ZarrJson.read(folder.child(Version2.ARRAY_FILE));
    return Version2.parse(version2.orElseThrow(() -> NoArray.at(folder)), folder);
  }

  private static FileSum sumOf(String name, StoredFile folder, Map<String, FileSum> sums) {
    FileSum sum = sums.get(name);
    if (sum == null) {
      throw FieldFileException.broken(
          "%s is none of the files that were written; is the folder another one's?"
              .formatted(folder.child(name)));
    }
    return sum;
  }

  /** Returns whether a folder is an array, of either version. */
  static boolean isArray(StoredFile folder) {
    Optional<ZarrJson> version3 = ZarrJson.read(folder.child(Version3.FILE));
    return version3.isPresent()
        ? Version3.isArray(version3.get())
        : folder.child(Version2.ARRAY_FILE).exists();
  }

  /**
   * Begins an array that tasks write chunk by chunk. A task may write several chunks at once, but
   * no part of a chunk.
   *
   * @param path a folder that does not exist, or is empty
   * @param layout how the array is stored
   * @throws FieldFileException if the folder has content, or writing fails
   */
  public static FieldWriter create(String path, ZarrLayout layout, Configuration hadoop) {
    return ZarrWriter.begin(StoredFile.of(path, hadoop), layout);
  }

  @Override
  public ElementType type() {
    return meaning.packing().element();
  }

  @Override
  public Optional<String> decoding() {
    return meaning.packing().inWords();
  }

  @Override
  public List<Long> shape() {
    return metadata.grid().shape();
  }

  /** Returns the cells of a chunk along each axis. Reading is fastest by whole chunks. */
  public Extent chunks() {
    return metadata.grid().chunk();
  }

  @Override
  public List<String> dimensionNames() {
    return metadata.dimensionNames();
  }

  @Override
  public Map<String, Object> attributes() {
    return metadata.attributes();
  }

  @Override
  public Object read(Box box, ElementType as) {
    CellType.of(as);
    FieldChecks.requireInside(box, shape(), folder);
    ChunkGrid grid = metadata.grid();
    Object cells = as.newArray(box.cells());
    for (Box chunk : grid.touching(box)) {
      Box part = chunk.intersect(box).orElseThrow();
      Object found = readChunk(chunk, part, as);
      if (part.equals(box)) {
        return found;
      }
      CellBoxes.copy(found, part, cells, box, part);
    }
    return cells;
  }

  /**
   * Returns the cells along each axis that are stored together: of a chunk, or of one in a shard.
   */
  private Extent unit() {
    return metadata.codecs().readsParts() && metadata.codecs().cells() instanceof Shards shards
        ? shards.inner()
        : chunks();
  }

  @Override
  public List<Box> pieces(Box box, int mostCells) {
    return box.pieces(mostCells, unit().sizes());
  }

  @Override
  public long heapBytes(Box box) {
    long stored = STAGES_OF_A_CHUNK * Double.BYTES * unit().cells();
    return FieldReader.super.heapBytes(box) + stored;
  }

  private Object readChunk(Box chunk, Box part, ElementType as) {
    String name = metadata.keys().name(metadata.grid().key(chunk));
    StoredFile file = folder.child(name);
    ReadAs read = new ReadAs(as, meaning, () -> fill(file));
    Box inside = part.shifted(chunk.origin().stream().map(first -> -first).toList());
    try {
      Optional<Object> cells =
          sums.isEmpty() && metadata.codecs().readsParts()
              ? readParts(file, inside, read)
              : decode(bytes(name, file), inside, read);
      return cells.orElseGet(() -> read.filled(part.cells()));
    } catch (IOException e) {
      throw FieldFileException.broken(
          "the chunk %s cannot be read: %s; is the file broken?".formatted(file, e.getMessage()),
          e);
    }
  }

  private Number fill(StoredFile chunk) {
    return fill.orElseThrow(
        () ->
            FieldFileException.broken(
                "%s is missing, at least in part, and its cells have %s; bring the chunk back, or correct the fill value"
                    .formatted(chunk, fillInWords())));
  }

  private String fillInWords() {
    return metadata.fill().unheld().orElseGet(() -> "the fill value " + fill.orElseThrow());
  }

  private Optional<byte[]> bytes(String name, StoredFile file) {
    return sums.isEmpty()
        ? file.read(CodecChain.mostBytes(chunks()))
        : Optional.of(sumOf(name, folder, sums).read(file));
  }

  private Optional<Object> decode(Optional<byte[]> bytes, Box inside, ReadAs read)
      throws IOException {
    return bytes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            metadata
                .codecs()
                .decode(ChunkBytes.of(ByteBuffer.wrap(bytes.get())), chunks(), inside, read));
  }

  private Optional<Object> readParts(StoredFile file, Box inside, ReadAs read) throws IOException {
    Optional<Long> length = file.length();
    if (length.isEmpty()) {
      return Optional.empty();
    }
    try (FSDataInputStream in = file.open()) {
      return Optional.of(
          metadata.codecs().decode(ChunkBytes.of(in, length.get()), chunks(), inside, read));
    }
  }

  /** Says how many chunks have no file, if that is soon known. */
  @Override
  public Optional<String> note() {
    long count = metadata.grid().count();
    String unknown;
    try {
      long deadline = System.nanoTime() + MOST_NOTE_NANOS;
      long[] names = {0};
      OptionalLong missing =
          missing(() -> ++names[0] <= MOST_NOTE_NAMES && System.nanoTime() < deadline);
      if (missing.isPresent()) {
        return missing.getAsLong() == 0
            ? Optional.empty()
            : Optional.of(
                "%d of %d chunks of %s are missing; their cells have %s"
                    .formatted(missing.getAsLong(), count, folder, fillInWords()));
      }
      unknown = "the list was left after %d names".formatted(names[0]);
    } catch (RuntimeException e) { // of whatever file system: chunks can perhaps be read
      unknown = e.getMessage();
    }
    return Optional.of(
        "nobody knows how many of %d chunks of %s are missing: %s; the cells of those that are have %s"
            .formatted(count, folder, unknown, fillInWords()));
  }

  @Override
  public long missingParts() {
    return missing(() -> true).orElseThrow();
  }

  /** Returns how many chunks have no file; nothing if that was given up. */
  private OptionalLong missing(BooleanSupplier goesOn) {
    ChunkGrid grid = metadata.grid();
    long[] missing = {grid.count()};
    boolean all =
        FolderFiles.visit(
            folder,
            (name, length) -> {
              missing[0] -= metadata.keys().isName(name, grid) ? 1 : 0;
              return goesOn.getAsBoolean();
            });
    return all ? OptionalLong.of(missing[0]) : OptionalLong.empty();
  }

  /** Does nothing: the files of chunks are open only while they are read. */
  @Override
  public void close() {}
}
