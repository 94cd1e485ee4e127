/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.netcdf;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Variables of the classic formats, which netCDF4 wrote. */
final class NetcdfFileTest {
  private static final List<Long> SHAPE = List.of(6L, 7L);

  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("small", temporary).resolve("netcdf");
  }

  private static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().contains("netcdf3")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void cellsAreThoseThatWereWritten(Path file) {
    for (String name : List.of("u", "v")) {
      try (FieldReader field = FieldPaths.open(file + "/" + name, HADOOP)) {
        assertThat(field.shape()).isEqualTo(SHAPE);
        assertThat(field.dimensionNames()).containsExactly("y", "x");
        assertThat(field.decoding()).contains("int16 times 0.5, NaN where -50");
        assertThat(((FileArray) field).attributes()).containsEntry("units", "K");
        for (Box box : FieldFixtures.boxes(SHAPE)) {
          double[] meant = FieldFixtures.cells(SHAPE, box, "i2");
          for (int i = 0; i < meant.length; i++) {
            meant[i] = meant[i] == -50 ? Double.NaN : meant[i] * 0.5;
          }
          assertThat((double[]) field.read(box, ElementType.F64)).isEqualTo(meant);
        }
      }
    }
  }

  @Test
  void theNumberOfRecordsFollowsFromTheLengthWhereItIsNotSaid() throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("netcdf3_classic-grows.nc"));
    ByteBuffer.wrap(bytes).putInt(4, -1);
    Path streamed = Files.write(temporary.resolve("streamed.nc"), bytes);
    try (FieldReader field = FieldPaths.open(streamed + "/v", HADOOP)) {
      assertThat(field.shape()).isEqualTo(SHAPE);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileThatWasCutOffIsRefused(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {9, 60, bytes.length / 2, bytes.length - 8}) {
      Path cut = temporary.resolve("cut-%d-%s".formatted(length, file.getFileName()));
      Files.write(cut, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> FieldPaths.open(cut + "/v", HADOOP))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining(cut.toString())
          .hasMessageContaining("?");
    }
  }

  @Test
  void namesTheVariables() {
    for (String name : List.of("", "/t2m", "/group/u")) {
      assertThatThrownBy(
              () -> FieldPaths.open(folder.resolve("netcdf3_classic-fixed.nc") + name, HADOOP))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("has the variables [u, v]; name one of them, such as")
          .hasMessageContaining("netcdf3_classic-fixed.nc/v");
    }
  }

  @Test
  void aHeaderThatSaysMoreThanItHasIsRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("netcdf3_64bit_data-fixed.nc"));
    for (int at : new int[] {16, 24}) {
      byte[] said = bytes.clone();
      ByteBuffer.wrap(said).putLong(at, 1L << 40);
      Path broken = Files.write(temporary.resolve("said-%d.nc".formatted(at)), said);
      assertThatThrownBy(() -> FieldPaths.open(broken + "/u", HADOOP))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("is the file broken?");
    }
  }

  @Test
  void aHeaderOfMoreThanSixteenMebibytesIsRefused() throws IOException {
    Path file = Files.write(temporary.resolve("large.nc"), withAttributeOf(15 << 20));
    try (FieldReader field = FieldPaths.open(file + "/u", HADOOP)) {
      Object cells = field.read(FieldFixtures.whole(field.shape()), ElementType.F64);
      assertThat((double[]) cells).containsExactly(1.5, 2.5);
    }
    Path larger = Files.write(temporary.resolve("larger.nc"), withAttributeOf(17 << 20));
    assertThatThrownBy(() -> FieldPaths.open(larger + "/u", HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("its header does not end within 16777216 bytes");
  }

  /** Returns a file with two cells and a text of so many bytes, a multiple of four. */
  private static byte[] withAttributeOf(int bytes) {
    ByteBuffer file = ByteBuffer.allocate(bytes + 124);
    file.put(new byte[] {'C', 'D', 'F', 2}).putInt(0);
    file.putInt(0xa).putInt(1).putInt(1).put(new byte[] {'x', 0, 0, 0}).putInt(2);
    file.putInt(0xc).putInt(1).putInt(1).put(new byte[] {'a', 0, 0, 0}).putInt(2).putInt(bytes);
    file.position(file.position() + bytes);
    file.putInt(0xb).putInt(1).putInt(1).put(new byte[] {'u', 0, 0, 0}).putInt(1).putInt(0);
    file.putInt(0).putInt(0).putInt(5).putInt(8).putLong(bytes + 116L);
    return file.putFloat(bytes + 116, 1.5f).putFloat(bytes + 120, 2.5f).array();
  }
}
