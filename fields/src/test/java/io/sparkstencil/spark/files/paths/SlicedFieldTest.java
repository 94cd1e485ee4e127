/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.npy.NpyFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that are slices of arrays with more axes. */
final class SlicedFieldTest {
  private static final List<Long> SHAPE = List.of(3L, 4L, 5L, 6L);

  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("deep", temporary);
  }

  private static FieldReader open(String name) {
    return FieldPaths.open(folder.resolve(name).toString(), HADOOP);
  }

  /** Returns a box of the array for a box of a slice: FROM:TO of kept axes, FROM of others. */
  private static Box whole(String taken, Box box) {
    List<Long> start = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    int next = 0;
    for (String each : taken.split(" ")) {
      String[] ends = each.split(":");
      long from = Long.parseLong(ends[0]);
      start.add(ends.length == 1 ? from : from + box.start(next));
      end.add(ends.length == 1 ? from + 1 : from + box.end(next));
      next += ends.length - 1;
    }
    return Box.between(start, end);
  }

  @ParameterizedTest
  @CsvSource({
    "'[0]', 0 0:4 0:5 0:6",
    "'[2,:,:,:]', 2 0:4 0:5 0:6",
    "'[1,3]', 1 3 0:5 0:6",
    "'[1, -1, 1:4, :]', 1 3 1:4 0:6",
    "'[-3,:,2,5]', 0 0:4 2 5",
    "'[:2,1:,-2:-1,0]', 0:2 1:4 3:4 0",
    "'[:,:,:,2]', 0:3 0:4 0:5 2"
  })
  void readsTheCellsOfPositions(String slice, String taken) {
    for (String array : List.of("u.npy f4", "fortran.npy i2", "x.zarr/air i2", "x.zarr/bare f4")) {
      String[] words = array.split(" ");
      try (FieldReader field = open(words[0] + slice)) {
        requireCells(field, words[1], taken);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'[time=1]', 1 0:4 0:5 0:6",
    "'[level=-1]', 0:3 3 0:5 0:6",
    "'[ x = 2:4 , time = 0 ]', 0 0:4 0:5 2:4",
    "'[1,y=3]', 1 0:4 3 0:6",
    "'[time=2,level=0,y=1]', 2 0 1 0:6"
  })
  void readsTheCellsOfNamedAxes(String slice, String taken) {
    for (String array : List.of("x.zarr/air", "x.zarr/fortran")) {
      try (FieldReader field = open(array + slice)) {
        requireCells(field, "i2", taken);
      }
    }
  }

  private static void requireCells(FieldReader field, String type, String taken) {
    List<Long> shape = field.shape();
    assertThat(shape)
        .isEqualTo(
            Stream.of(taken.split(" "))
                .filter(each -> each.contains(":"))
                .map(each -> each.split(":"))
                .map(ends -> Long.parseLong(ends[1]) - Long.parseLong(ends[0]))
                .toList());
    for (Box box :
        shape.contains(1L) || shape.contains(2L)
            ? List.of(FieldFixtures.whole(shape))
            : FieldFixtures.boxes(shape)) {
      double[] expected = FieldFixtures.cells(SHAPE, whole(taken, box), type);
      assertThat((double[]) field.read(box, ElementType.F64)).isEqualTo(expected);
      assertThat(FieldFixtures.doubles(field.read(box, ElementType.F32))).isEqualTo(expected);
      assertThat(field.pieces(box, 4).stream().mapToInt(Box::cells).sum()).isEqualTo(box.cells());
      for (Box piece : field.pieces(box, 4)) {
        assertThat((double[]) field.read(piece, ElementType.F64))
            .isEqualTo(FieldFixtures.cells(SHAPE, whole(taken, piece), type));
      }
      assertThat(field.heapBytes(box)).isGreaterThanOrEqualTo(8L * box.cells());
    }
  }

  @Test
  void keepsTheNamesOfTheAxesThatStay() {
    try (FieldReader field = open("x.zarr/air[1,y=0]");
        FieldReader bare = open("x.zarr/bare[1]")) {
      assertThat(field.dimensionNames()).containsExactly("level", "x");
      assertThat(bare.dimensionNames()).isEmpty();
    }
  }

  @Test
  void readsAnArrayOfManyAxes() {
    List<Long> shape = List.of(2L, 1L, 2L, 1L, 2L, 1L, 2L, 1L, 3L);
    try (FieldReader field = open("many.npy[1,0,:,0,1,0,:,0]")) {
      Box box = Box.between(List.of(1L, 0L, 0L, 0L, 1L, 0L, 0L, 0L, 0L), shape);
      assertThat(field.shape()).containsExactly(2L, 2L, 3L);
      assertThat((double[]) field.read(FieldFixtures.whole(field.shape()), ElementType.F64))
          .isEqualTo(FieldFixtures.cells(shape, box, "f8"));
    }
  }

  @Test
  void bracketsOfAFileThatExistsBelongToItsName() {
    try (FieldReader brackets = open("brackets[0].npy");
        FieldReader plain = open("plain[0]");
        FieldReader slice = open("plain[1]")) {
      assertThat(brackets.shape()).containsExactly(5L);
      assertThat(plain.shape()).containsExactly(7L);
      assertThat((double[]) slice.read(FieldFixtures.whole(List.of(7L)), ElementType.F64))
          .isEqualTo(
              FieldFixtures.cells(
                  List.of(5L, 7L), Box.between(List.of(1L, 0L), List.of(2L, 7L)), "f4"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u.npy|has 4 axes, of 3, 4, 5, 6 cells, and fields have 1 to 3; name a slice, such as|u.npy[0,:,:,:]",
        "x.zarr/air|4 axes, time, level, y, x of 3, 4, 5, 6 cells|x.zarr/air[time=0]",
        "many.npy[0]|has 8 axes|many.npy[0,0,0,0,0,0,:,:,:]",
        "u.npy[0,1,2,3]|is a single cell|by : or a range",
        "u.npy[3]|takes position 3 of axis 0, which has the positions 0 to 2|below 0",
        "u.npy[-4]|takes position -1 of axis 0|0 to 2",
        "x.zarr/air[level=4]|takes position 4 of axis level|0 to 3",
        "u.npy[1:1]|takes positions 1:1 of axis 0|0 to 2",
        "u.npy[0:4]|takes positions 0:4 of axis 0|0 to 2",
        "u.npy[0,0,0,0,0]|has 5 parts, and the array has 4 axes|at most one",
        "u.npy[time=0]|names the axis time, and the axes of the array have no names|[0,:]",
        "x.zarr/air[t=0]|names the axis t, and the array has the axes time, level, y, x|one of them",
        "x.zarr/twice[x=0]|names the axis x, and 2 have that name|[0,:]",
        "x.zarr/air[0,time=0]|says an axis twice|once",
        "x.zarr/air[time=0,1]|a position without a name|[time=3]",
        "u.npy[]|u.npy[] is no part of an array|[0,:,10:20]",
        "u.npy[0,]|u.npy[0,] is no part|[0,:,10:20]",
        "u.npy[::2]|u.npy[::2] is no part|[0,:,10:20]",
        "u.npy[1.5]|u.npy[1.5] is no part|[0,:,10:20]",
        "u.npy[99999999999999999999]|more digits|smaller",
        "none.npy[0]|none.npy|check the path"
      })
  void refusesOtherSlicesWithWhatTheArrayHas(String name, String says, String remedy) {
    assertThatThrownBy(() -> open(name))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining(says)
        .hasMessageContaining(remedy);
  }

  @Test
  void aBoxOutsideASliceIsRefused() {
    try (FieldReader field = open("u.npy[0,0,1:3]")) {
      assertThatThrownBy(
              () -> field.read(Box.between(List.of(0L, 0L), List.of(3L, 6L)), ElementType.F64))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("u.npy[0,0,1:3]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"u.npy[3]", "x.zarr/air[0,:,:]", "./u[time=3]", "U.NPY[:]"})
  void knowsPathsWithSlicesByTheirLook(String text) {
    assertThat(FieldPaths.isPath(text)).isTrue();
  }

  /** HDFS refuses names with a colon so. */
  public static final class NoColons extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("colons:///");
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      if (path.toUri().getPath().contains(":")) {
        throw new IllegalArgumentException("%s is not a valid filename".formatted(path));
      }
      return super.getFileStatus(path);
    }
  }

  @Test
  void aSliceMayBeWhatNoFileOfTheFileSystemIsCalled() {
    Configuration hadoop = new Configuration(HADOOP);
    hadoop.set("fs.colons.impl", NoColons.class.getName());
    String path = "colons://" + folder.resolve("u.npy");
    try (FieldReader field = FieldPaths.open(path + "[0,:,1:3]", hadoop)) {
      assertThat(field.shape()).containsExactly(4L, 2L, 6L);
    }
    assertThatThrownBy(() -> FieldPaths.open(path + ":/u", hadoop))
        .isInstanceOf(FieldFileException.class);
  }

  @Test
  void coordinatesThatCannotBeReadAreNotLeftOut() throws IOException {
    Path group = Files.createDirectories(temporary.resolve("coordinates.zarr"));
    for (String name : List.of("u", "y")) {
      Files.createDirectories(group.resolve(name));
      Files.writeString(
          group.resolve(name + "/.zarray"),
          """
          {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<i2", "order": "C",
           "fill_value": 0, "compressor": null, "filters": null}
          """);
    }
    Files.writeString(group.resolve("u/.zattrs"), "{\"_ARRAY_DIMENSIONS\": [\"y\"]}");
    Files.write(group.resolve("y/0"), new byte[1]);
    assertThatThrownBy(() -> FieldPaths.labels(group + "/u", false, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("coordinates.zarr/y/0");
  }

  @Test
  void anNpyFileIsNotSearchedForAnotherFormat() {
    double[] cells = new double[100];
    Arrays.fill(cells, Double.longBitsToDouble(0x0a1a0a0d46444889L)); // HDF5 begins so, at 512 too
    String path = temporary.resolve("signatures.npy").toString();
    NpyFile.write(path, Extent.of(100), cells, HADOOP);
    try (FieldReader field = FieldPaths.open(path, HADOOP)) {
      assertThat(field.shape()).containsExactly(100L);
    }
  }

  @Test
  void knowsWhetherASlicedFileExists() {
    assertThat(FieldPaths.exists(folder + "/plain[3]", HADOOP)).isTrue();
    assertThat(FieldPaths.exists(folder + "/none[3]", HADOOP)).isFalse();
  }

  @Test
  void namesTheSliceThatAGridCouldUse() {
    try (FieldReader field = open("x.zarr/air[0]")) {
      assertThat(FieldPaths.slice(field, 2)).contains("[level=0]");
      assertThat(FieldPaths.slice(field, 3)).isEmpty();
    }
  }
}
