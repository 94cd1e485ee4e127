/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.hadoop.conf.Configuration;

/** The files that make_fixtures.py made, and the cells that it wrote into them. */
public final class FieldFixtures {
  /** Settings that know {@code whole:}, a file system that cannot write ranges. */
  public static final Configuration HADOOP = new Configuration(false);

  static {
    HADOOP.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
    HADOOP.set("fs.whole.impl", WholeFileSystem.class.getName());
    HADOOP.set("fs.recording.impl", RecordingFileSystem.class.getName());
    HADOOP.set("fs.refusing.impl", RefusingFileSystem.class.getName());
    HADOOP.set("fs.unlisted.impl", UnlistedFileSystem.class.getName());
  }

  private FieldFixtures() {}

  /** Unpacks {@code npy.zip} or {@code zarr.zip} into a folder of its name, and returns that. */
  public static Path unpack(String name, Path folder) throws IOException {
    try (InputStream packed =
            FieldFixtures.class.getResourceAsStream("/fields/%s.zip".formatted(name));
        ZipInputStream entries = new ZipInputStream(packed)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        Path file = folder.resolve(name).resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, entries.readAllBytes());
      }
    }
    return folder.resolve(name);
  }

  /** Returns cell k of fixtures whose cells are of a type of NumPy, such as {@code f4}. */
  public static double cell(long k, String type) {
    double value = 37 * k % 101;
    return switch (type.charAt(0)) {
      case 'b' -> k % 3 == 0 ? 1 : 0;
      case 'u' -> value;
      case 'i' -> value - 50;
      default -> (value - 50) / 4;
    };
  }

  /** Returns the cells of a box of a fixture, as doubles. */
  public static double[] cells(List<Long> shape, Box box, String type) {
    double[] cells = new double[box.cells()];
    for (int i = 0; i < cells.length; i++) {
      long k = 0;
      int rest = i;
      long stride = 1;
      for (int axis = shape.size() - 1; axis >= 0; axis--) {
        k += (box.start(axis) + rest % box.size(axis)) * stride;
        rest /= box.size(axis);
        stride *= shape.get(axis);
      }
      cells[i] = cell(k, type);
    }
    return cells;
  }

  /** Returns the box of all cells of a shape. */
  public static Box whole(List<Long> shape) {
    return Box.whole(new Extent(shape.stream().map(Math::toIntExact).toList()));
  }

  /** Returns some boxes of a shape: all of it, its corners, an inner box, and a cell. */
  public static List<Box> boxes(List<Long> shape) {
    List<Long> first = shape.stream().map(size -> 0L).toList();
    List<Long> last = shape.stream().map(size -> size - 1).toList();
    List<Long> middle = shape.stream().map(size -> size / 2 + 1).toList();
    List<Long> inner = shape.stream().map(size -> 1L).toList();
    return List.of(
        whole(shape),
        Box.between(first, middle),
        Box.between(middle, shape),
        Box.between(inner, last),
        Box.between(last, shape));
  }

  /** Returns an array's cells as doubles. */
  public static double[] doubles(Object cells) {
    if (cells instanceof double[] doubles) {
      return doubles;
    }
    float[] floats = (float[]) cells;
    double[] doubles = new double[floats.length];
    Arrays.setAll(doubles, i -> floats[i]);
    return doubles;
  }

  /** Returns the cells as an array of a type. */
  public static Object typed(double[] cells, ElementType type) {
    if (type == ElementType.F64) {
      return cells;
    }
    float[] floats = new float[cells.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) cells[i];
    }
    return floats;
  }

  /** Returns a path on the file system that cannot write ranges. */
  public static String whole(Path path) {
    return String.format(Locale.ROOT, "whole://%s", path);
  }
}
