/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.codec.Compression;
import io.sparkstencil.spark.files.codec.Predictor;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes a raster as a TIFF file: tiles of floating-point numbers, compressed by deflate with
 * predictor 3; BigTIFF where it is larger than 4 GiB may be. Each box is a file of its compressed
 * tiles until the commit joins them.
 *
 * @param target the path of the file
 * @param folder the path of the hidden folder of the boxes' files
 * @param shape of rows and columns
 * @param type of the cells
 * @param tile the rows and columns of a tile
 * @param place the tags that say where the raster lies on the Earth, by name; see {@link
 *     GeoTransform}
 * @param mostClassicBytes of a file that is no BigTIFF
 */
record TiffWriter(
    String target,
    String folder,
    List<Long> shape,
    ElementType type,
    Extent tile,
    Map<String, Object> place,
    long mostClassicBytes)
    implements FieldWriter {
  static final long CLASSIC_BYTES = (1L << 32) - (1 << 20);
  private static final int USUAL_TILE = 256;
  private static final int TILE_UNIT = 16;
  private static final int LEVEL = 6;
  private static final String PART = "tiles-";

  /** The driver holds where each tile lies, and how long it is. */
  private static final long MOST_TILES = 1 << 24;

  static TiffWriter begin(
      StoredFile target,
      ElementType type,
      List<Long> shape,
      Extent boxes,
      Map<String, Object> place) {
    CellType.of(type);
    FieldChecks.requireShape(shape, target);
    if (shape.size() != 2 || shape.stream().anyMatch(size -> size > Integer.MAX_VALUE)) {
      throw FieldFileException.unsupported(
          "%s has the shape %s; TIFF files have rows and columns: write another format, such as .npy or .zarr, or a field of two axes"
              .formatted(target, shape));
    }
    Extent tile = Extent.of(tile(boxes, shape, 0, target), tile(boxes, shape, 1, target));
    long tiles = tiles(shape, tile, 0) * tiles(shape, tile, 1);
    if (tiles > MOST_TILES) {
      throw FieldFileException.unsupported(
          "%s has %d tiles of %s cells, more than %d; use boxes that are multiples of %d, whose tiles are as large, or write .zarr"
              .formatted(target, tiles, tile.sizes(), MOST_TILES, USUAL_TILE));
    }
    StoredFile folder = target.hidden("parts");
    folder.makeFolder();
    return new TiffWriter(
        target.toString(), folder.toString(), List.copyOf(shape), type, tile, place, CLASSIC_BYTES);
  }

  /** Sides of tiles are multiples of 16, and boxes are made of whole tiles. */
  private static int tile(Extent boxes, List<Long> shape, int axis, StoredFile target) {
    long all = (shape.get(axis) + TILE_UNIT - 1) / TILE_UNIT * TILE_UNIT;
    if (boxes.size(axis) >= shape.get(axis)) {
      return (int) Math.min(USUAL_TILE, all);
    }
    for (int side = USUAL_TILE; side >= TILE_UNIT; side -= TILE_UNIT) {
      if (boxes.size(axis) % side == 0) {
        return side;
      }
    }
    throw FieldFileException.wrongCall(
        "%s is written in boxes of %d cells along an axis of %d; use a multiple of %d, as tiles have"
            .formatted(target, boxes.size(axis), shape.get(axis), TILE_UNIT));
  }

  private long tiles(int axis) {
    return tiles(shape, tile, axis);
  }

  private static long tiles(List<Long> shape, Extent tile, int axis) {
    return (shape.get(axis) + tile.size(axis) - 1) / tile.size(axis);
  }

  @Override
  public void write(Box box, Object cells, Configuration hadoop) {
    FieldChecks.requireInside(box, shape, target);
    FieldChecks.requireCells(cells, box, type);
    for (int axis = 0; axis < 2; axis++) {
      boolean ends = box.end(axis) == shape.get(axis) || box.end(axis) % tile.size(axis) == 0;
      if (box.start(axis) % tile.size(axis) != 0 || !ends) {
        throw FieldFileException.wrongCall(
            "the box at %s with sizes %s of %s is not made of whole tiles of %s cells; use boxes that are"
                .formatted(box.origin(), box.extent().sizes(), target, tile.sizes()));
      }
    }
    long firstRow = box.start(0) / tile.size(0);
    long firstColumn = box.start(1) / tile.size(1);
    int rows = (box.size(0) + tile.size(0) - 1) / tile.size(0);
    int columns = (box.size(1) + tile.size(1) - 1) / tile.size(1);
    String name = PART + "%d.%d-%d.%d".formatted(firstRow, firstColumn, rows, columns);
    StoredFile.of(folder, hadoop)
        .child(name)
        .writeFromTask(
            out -> {
              List<ByteBuffer> all = new ArrayList<>();
              for (int i = 0; i < rows * columns; i++) {
                all.add(encoded(box, cells, i / columns, i % columns));
              }
              for (ByteBuffer each : all) {
                out.writeInt(each.remaining());
              }
              for (ByteBuffer each : all) {
                out.write(each.array(), each.arrayOffset() + each.position(), each.remaining());
              }
            });
  }

  /** Compresses a tile of a box. Cells of it beyond the raster are 0. */
  private ByteBuffer encoded(Box box, Object cells, int row, int column) throws IOException {
    ByteBuffer numbers =
        ByteBuffer.allocate(tile.cells() * type.bytes()).order(ByteOrder.BIG_ENDIAN);
    int rows = Math.min(tile.size(0), box.size(0) - row * tile.size(0));
    int columns = Math.min(tile.size(1), box.size(1) - column * tile.size(1));
    for (int i = 0; i < rows; i++) {
      int from = (row * tile.size(0) + i) * box.size(1) + column * tile.size(1);
      numbers.position(i * tile.size(1) * type.bytes());
      if (cells instanceof float[] floats) {
        numbers.asFloatBuffer().put(floats, from, columns);
      } else {
        numbers.asDoubleBuffer().put((double[]) cells, from, columns);
      }
    }
    Predictor predictor = new Predictor(true, type.bytes(), 1, tile.size(1), true);
    return new Compression(Compression.Method.ZLIB, LEVEL)
        .encode(predictor.encode(numbers.position(0)));
  }

  /** The file of a box, and the lengths of its tiles. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record TileFile(StoredFile file, int[] numbers, int[] lengths) {
    long bytes() {
      return Arrays.stream(lengths).asLongStream().sum();
    }
  }

  @Override
  public void commit(Configuration hadoop) {
    StoredFile parts = StoredFile.of(folder, hadoop);
    int count = Math.toIntExact(tiles(0) * tiles(1));
    List<TileFile> all = new ArrayList<>();
    long[] lengths = new long[count];
    for (StoredFile file : parts.list()) {
      if (file.name().startsWith(PART)) {
        all.add(part(file, lengths));
      }
    }
    for (int number = 0; number < count; number++) {
      if (lengths[number] == 0) {
        throw FieldFileException.wrongCall(
            "the tile of row %d and column %d of %s was written by no task; write all boxes"
                .formatted(number / tiles(1), number % tiles(1), target));
      }
    }
    TiffHead head =
        TiffHead.of(this, lengths.length, all.stream().mapToLong(TileFile::bytes).sum());
    long[] offsets = new long[count];
    long at = head.bytes();
    for (TileFile part : all) {
      for (int i = 0; i < part.numbers().length; i++) {
        offsets[part.numbers()[i]] = at;
        at += part.lengths()[i];
      }
    }
    StoredFile.of(target, hadoop)
        .writeWhole(
            out -> {
              out.write(head.encoded(offsets, lengths).array());
              for (TileFile part : all) {
                try (InputStream in = part.file().open()) {
                  in.skipNBytes((long) Integer.BYTES * part.lengths().length);
                  if (in.transferTo(out) != part.bytes()) {
                    throw new IOException(part.file() + " is not as long as its tiles");
                  }
                }
              }
            });
    parts.delete();
  }

  private TileFile part(StoredFile file, long[] all) {
    String[] words = file.name().substring(PART.length()).split("[.-]");
    int[] place = Arrays.stream(words).mapToInt(Integer::parseInt).toArray();
    int[] numbers = new int[place[2] * place[3]];
    int[] lengths = new int[numbers.length];
    try (DataInputStream in = new DataInputStream(file.open())) {
      for (int i = 0; i < numbers.length; i++) {
        long row = (long) place[0] + i / place[3];
        long column = (long) place[1] + i % place[3];
        numbers[i] = Math.toIntExact(row * tiles(1) + column);
        lengths[i] = in.readInt();
        if (all[numbers[i]] != 0) {
          throw FieldFileException.wrongCall(
              "the tile of row %d and column %d of %s was written in two boxes; write each once"
                  .formatted(row, column, target));
        }
        all[numbers[i]] = lengths[i];
      }
    } catch (IOException e) {
      throw FieldFileException.failed("reading", file, e);
    }
    return new TileFile(file, numbers, lengths);
  }

  @Override
  public void abort(Configuration hadoop) {
    StoredFile.of(folder, hadoop).delete();
  }
}
