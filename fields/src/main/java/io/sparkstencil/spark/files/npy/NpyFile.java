/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellMeaning;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.DenseCells;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FlatCells;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * An array in a file of NumPy's npy format. Versions 1.0 to 3.0 are read, with cells that are
 * booleans, integers, or floating-point numbers of 4 or 8 bytes in either byte order, and axes in C
 * or in Fortran order. Files are written as {@code numpy.save} writes {@code float32} and {@code
 * float64} arrays.
 */
public final class NpyFile implements FieldReader {
  private final StoredFile file;
  private final FSDataInputStream in;
  private final ChunkBytes bytes;
  private final NpyHeader header;
  private final CellMeaning meaning;

  private NpyFile(StoredFile file, FSDataInputStream in, long length, NpyHeader header) {
    this.file = file;
    this.in = in;
    this.bytes = ChunkBytes.of(in, length);
    this.header = header;
    this.meaning = new CellMeaning(CellPacking.none(header.format().type()));
  }

  /**
   * Opens a file and reads its header.
   *
   * @param path a path on any file system of Hadoop
   * @param hadoop the settings of file systems
   * @return the file, which the caller closes
   * @throws FieldFileException if the file is missing, broken, or has cells that fields cannot have
   */
  public static NpyFile open(String path, Configuration hadoop) {
    StoredFile file = StoredFile.of(path, hadoop);
    long bytes = file.length().orElseThrow(file::missing);
    FSDataInputStream in = file.open();
    try {
      return new NpyFile(file, in, bytes, NpyHeader.read(file, in, bytes));
    } catch (IOException | RuntimeException e) {
      close(in);
      throw e instanceof IOException failed
          ? FieldFileException.failed("reading", file, failed)
          : (RuntimeException) e;
    }
  }

  /**
   * Begins a file that tasks write box by box; any boxes are possible. On the local file system
   * each box is written in place. Elsewhere it becomes a file of its own, and the commit joins
   * these on the driver. At the commit a file of that name is replaced.
   *
   * @param path a path on any file system of Hadoop; a local one is the same for all tasks
   * @param type {@link ElementType#F32} or {@link ElementType#F64}
   * @param shape the cells along each axis, slowest first: 1 to 3 axes
   * @throws FieldFileException if the type or the shape is not possible, or writing fails
   */
  public static FieldWriter create(
      String path, ElementType type, List<Long> shape, Configuration hadoop) {
    StoredFile file = StoredFile.of(path, hadoop);
    FieldChecks.requireShape(shape, file);
    NpyHeader header = NpyHeader.of(CellType.of(type), List.copyOf(shape));
    return file.local().isPresent()
        ? LocalNpyWriter.begin(file, header)
        : PartsNpyWriter.begin(file, header);
  }

  /**
   * Writes an array as a whole.
   *
   * @param cells {@code float[]} or {@code double[]}, slowest axis first
   * @throws FieldFileException if the array has another length, or writing fails
   */
  public static void write(String path, Extent extent, Object cells, Configuration hadoop) {
    List<Long> shape = extent.sizes().stream().map(Integer::longValue).toList();
    ElementType type = cells instanceof float[] ? ElementType.F32 : ElementType.F64;
    Box whole = Box.whole(extent);
    FieldChecks.requireCells(cells, whole, type);
    FieldWriter writer = create(path, type, shape, hadoop);
    try {
      writer.write(whole, cells, hadoop);
      writer.commit(hadoop);
    } catch (RuntimeException e) {
      writer.abort(hadoop);
      throw e;
    }
  }

  @Override
  public ElementType type() {
    return header.format().type().element();
  }

  @Override
  public List<Long> shape() {
    return header.shape();
  }

  @Override
  public Object read(Box box, ElementType as) {
    CellType.of(as);
    FieldChecks.requireInside(box, header.shape(), file);
    if (!header.fortranOrder()) {
      return readInOrder(box, header.shape(), as);
    }
    // The file's bytes are those of the array with reversed axes in C order.
    Box reversed = reversed(box);
    Object cells = readInOrder(reversed, reversed(header.shape()), as);
    List<Integer> back = new ArrayList<>();
    for (int axis = box.dimensions() - 1; axis >= 0; axis--) {
      back.add(axis);
    }
    return DenseCells.transposed(cells, reversed.extent(), back);
  }

  @Override
  public List<Box> pieces(Box box, int mostCells) {
    return header.fortranOrder()
        ? reversed(box).pieces(mostCells).stream().map(NpyFile::reversed).toList()
        : box.pieces(mostCells);
  }

  private static Box reversed(Box box) {
    return new Box(reversed(box.origin()), new Extent(reversed(box.extent().sizes())));
  }

  private static <T> List<T> reversed(List<T> list) {
    List<T> reversed = new ArrayList<>(list);
    Collections.reverse(reversed);
    return reversed;
  }

  private Object readInOrder(Box box, List<Long> shape, ElementType as) {
    try {
      return new FlatCells(bytes, header.dataOffset(), shape, header.format())
          .read(box, new ReadAs(as, meaning, () -> Double.NaN));
    } catch (IOException e) {
      throw FieldFileException.failed("reading", file, e);
    }
  }

  @Override
  public void close() {
    close(in);
  }

  private static void close(FSDataInputStream in) {
    try {
      in.close();
    } catch (IOException ignored) {
      // What was read is right, and nothing was written.
    }
  }
}
