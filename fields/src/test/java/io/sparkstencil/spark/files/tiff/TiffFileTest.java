/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rasters of two bands that GDAL wrote: the second has 1 more in each cell. */
final class TiffFileTest {
  private static final List<Long> SHAPE = List.of(6L, 7L);

  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("small", temporary).resolve("tiff");
  }

  private static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void bandsAreSlicesAndNodataIsMissing(Path file) {
    try (FieldReader all = FieldPaths.open(file.toString(), HADOOP);
        FieldReader first = FieldPaths.open(file + "[0]", HADOOP);
        FieldReader second = FieldPaths.openRaw(file + "[band=1]", HADOOP)) {
      assertThat(all.shape()).containsExactly(2L, 6L, 7L);
      assertThat(all.dimensionNames()).containsExactly("band", "y", "x");
      assertThat(all.decoding()).contains("int16, NaN where -50");
      for (Box box : FieldFixtures.boxes(SHAPE)) {
        double[] stored = FieldFixtures.cells(SHAPE, box, "i2");
        double[] meant = stored.clone();
        double[] more = stored.clone();
        for (int i = 0; i < meant.length; i++) {
          meant[i] = stored[i] == -50 ? Double.NaN : stored[i];
          more[i] = stored[i] + 1;
        }
        assertThat((double[]) first.read(box, ElementType.F64)).isEqualTo(meant);
        assertThat((double[]) second.read(box, ElementType.F64)).isEqualTo(more);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileThatWasCutOffIsRefused(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {5, 12, bytes.length / 3}) {
      Path cut = temporary.resolve("cut-%d-%s".formatted(length, file.getFileName()));
      Files.write(cut, Arrays.copyOf(bytes, length));
      assertThatThrownBy(
              () -> {
                try (FieldReader field = FieldPaths.open(cut.toString(), HADOOP)) {
                  field.read(FieldFixtures.whole(field.shape()), ElementType.F64);
                }
              })
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining(cut.toString());
    }
  }

  @Test
  void coordinatesAreThoseOfTheMiddlesOfCells() throws IOException {
    NpyFile.write(
        folder.resolve("y").toString(), Extent.of(6), new double[6], HADOOP); // of something else
    FieldLabels labels =
        FieldPaths.labels(folder.resolve("lzw.tif[0,2:5]").toString(), false, HADOOP);
    assertThat(labels.dimensionNames()).containsExactly("y", "x");
    assertThat(labels.coordinates().get("x").values())
        .containsExactly(100.25, 100.75, 101.25, 101.75, 102.25, 102.75, 103.25);
    assertThat(labels.coordinates().get("y").values()).containsExactly(44.5, 42.5, 40.5);
    Files.delete(folder.resolve("y"));
  }

  @Test
  void tilesHaveALimit() {
    Configuration small = new Configuration(HADOOP);
    small.setLong(TiffFile.CHUNK_BYTES, 1000);
    assertThatThrownBy(() -> FieldPaths.open(folder.resolve("deflate.tif").toString(), small))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("tiles or strips of 16 x 16 cells")
        .hasMessageContaining("more than the 1000 bytes that stencil.tiff.chunk.bytes");
  }

  /** Returns a copy of strips.tif in which bytes take the place of others, where they lie. */
  private static Path changed(String name, int at, byte... bytes) throws IOException {
    byte[] all = Files.readAllBytes(folder.resolve("strips.tif"));
    System.arraycopy(bytes, 0, all, at, bytes.length);
    return Files.write(temporary.resolve(name), all);
  }

  /** Returns where the values of a tag of strips.tif lie, or its entry. */
  private static int tag(int tag, boolean values) throws IOException {
    ByteBuffer all =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("strips.tif")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int directory = all.getInt(4);
    for (int i = 0; i < all.getShort(directory); i++) {
      int entry = directory + 2 + 12 * i;
      if ((all.getShort(entry) & 0xffff) == tag) {
        return values ? all.getInt(entry + 8) : entry;
      }
    }
    throw new IllegalStateException("no tag " + tag);
  }

  private static Object read(FieldReader field) {
    try (field) {
      return field.read(FieldFixtures.whole(field.shape()), ElementType.F64);
    }
  }

  @Test
  void aStripWithALengthAndNoPlaceIsBroken() throws IOException {
    int offsets = tag(273, true);
    String path = changed("nowhere.tif", offsets, new byte[4]).toString();
    assertThatThrownBy(() -> read(FieldPaths.open(path, HADOOP)))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("tile or strip 0 has")
        .hasMessageContaining("bytes at 0; is the file broken?");
  }

  @Test
  void cellsOf3008BitsAreNotBytes() throws IOException {
    byte[] all = Files.readAllBytes(folder.resolve("strips.tif"));
    ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(tag(258, false) + 4, 1).putInt(tag(258, false) + 8, 3008);
    bytes.putInt(tag(339, false) + 4, 1).putInt(tag(339, false) + 8, 1);
    String path = Files.write(temporary.resolve("bits.tif"), all).toString();
    assertThatThrownBy(() -> FieldPaths.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("cells of 3008 bits");
  }

  @Test
  void nodataThatIsNoNumberIsReadRaw() throws IOException {
    String path = changed("nodata.tif", tag(42113, false) + 8, (byte) 'x').toString();
    assertThatThrownBy(() -> FieldPaths.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("nodata value \"x50\"");
    assertThat(read(FieldPaths.openRaw(path, HADOOP)))
        .isEqualTo(read(FieldPaths.openRaw(folder.resolve("strips.tif").toString(), HADOOP)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1.#IND", "1.#QNAN", "-1.#IND00", "nan", "-NaN"})
  void nodataMayBeNanAsWindowsWroteIt(String text) throws IOException {
    byte[] all = Files.readAllBytes(folder.resolve("strips.tif"));
    ByteBuffer bytes =
        ByteBuffer.allocate(all.length + text.length() + 1).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(all).put(text.getBytes(StandardCharsets.US_ASCII));
    int entry = tag(42113, false);
    bytes.putInt(entry + 4, text.length() + 1);
    if (text.length() > 3) {
      bytes.putInt(entry + 8, all.length);
    } else {
      bytes.put(entry + 8, text.getBytes(StandardCharsets.US_ASCII));
    }
    Path file = Files.write(temporary.resolve("nan.tif"), bytes.array());
    try (FieldReader field = FieldPaths.open(file.toString(), HADOOP)) {
      assertThat(field.decoding()).isEmpty(); // no integer is NaN
    }
  }

  @Test
  void aMaskBesideTheFileIsRefusedUnlessRaw() throws IOException {
    Path file = changed("masked.tif", 0);
    Files.write(temporary.resolve("masked.tif.msk"), new byte[8]);
    assertThatThrownBy(() -> FieldPaths.open(file + "[0]", HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("masked.tif has a mask of valid cells beside it, ")
        .hasMessageContaining("masked.tif.msk, which is not read; give the others a nodata value");
    assertThat(read(FieldPaths.openRaw(file + "[0]", HADOOP))).isNotNull();
  }

  @Test
  void nothingLiesInAnImage() {
    assertThatThrownBy(() -> FieldPaths.open(folder.resolve("lzw.tif/u").toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("name the file alone, and a part of it by a slice");
  }

  @Test
  void tagsThatSayMoreThanTheFileHasAreRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("strips.tif"));
    for (int at = 8; at < bytes.length - 4; at++) {
      byte[] said = bytes.clone();
      Arrays.fill(said, at, at + 4, (byte) 0xff);
      Path broken = Files.write(temporary.resolve("said.tif"), said);
      try (FieldReader field = FieldPaths.open(broken.toString(), HADOOP)) {
        assertThat(field.shape()).hasSizeBetween(2, 3);
      } catch (FieldFileException e) {
        assertThat(e).hasMessageContaining("said.tif");
      }
    }
  }
}
