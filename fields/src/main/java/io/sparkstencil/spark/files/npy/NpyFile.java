/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.DenseCells;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.Runs;
import io.sparkstencil.spark.files.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  /** Bytes that are read at once. */
  private static final int WINDOW_BYTES = 4 << 20;

  /** Runs this near to each other are read at once: a request costs as much as reading so far. */
  private static final int NEAR_BYTES = 128 << 10;

  private final StoredFile file;
  private final FSDataInputStream in;
  private final NpyHeader header;

  private NpyFile(StoredFile file, FSDataInputStream in, NpyHeader header) {
    this.file = file;
    this.in = in;
    this.header = header;
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
      return new NpyFile(file, in, NpyHeader.read(file, in, bytes));
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
    Object cells = as.newArray(box.cells());
    Runs runs = new Runs(box, shape);
    int cellBytes = header.format().type().bytes();
    long runBytes = (long) runs.length() * cellBytes;
    if (runBytes > WINDOW_BYTES) {
      for (int run = 0; run < runs.count(); run++) {
        readLongRun(runs.start(run), cells, run * runs.length(), runs.length());
      }
      return cells;
    }
    byte[] window = new byte[0];
    int first = 0;
    while (first < runs.count()) {
      long start = runs.start(first) * cellBytes;
      int last = lastOfWindow(runs, first, start);
      int bytes = (int) (runs.start(last) * cellBytes + runBytes - start);
      window = window.length < bytes ? new byte[bytes] : window;
      readFully(start, window, bytes);
      for (int run = first; run <= last; run++) {
        int at = (int) (runs.start(run) * cellBytes - start);
        header
            .format()
            .decode(
                ByteBuffer.wrap(window, at, (int) runBytes),
                cells,
                run * runs.length(),
                runs.length());
      }
      first = last + 1;
    }
    return cells;
  }

  /** Returns the last of the runs that are read at once with the first. */
  private int lastOfWindow(Runs runs, int first, long start) {
    int cellBytes = header.format().type().bytes();
    long runBytes = (long) runs.length() * cellBytes;
    int last = first;
    while (last + 1 < runs.count()) {
      long next = runs.start(last + 1) * cellBytes;
      long gap = next - (runs.start(last) * cellBytes + runBytes);
      if (gap > NEAR_BYTES || next + runBytes - start > WINDOW_BYTES) {
        break;
      }
      last++;
    }
    return last;
  }

  private void readLongRun(long start, Object cells, int at, int count) {
    int cellBytes = header.format().type().bytes();
    int most = WINDOW_BYTES / cellBytes;
    byte[] window = new byte[most * cellBytes];
    for (int done = 0; done < count; ) {
      int part = Math.min(most, count - done);
      readFully((start + done) * cellBytes, window, part * cellBytes);
      header.format().decode(ByteBuffer.wrap(window), cells, at + done, part);
      done += part;
    }
  }

  private void readFully(long position, byte[] window, int bytes) {
    try {
      in.readFully(header.dataOffset() + position, window, 0, bytes);
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
