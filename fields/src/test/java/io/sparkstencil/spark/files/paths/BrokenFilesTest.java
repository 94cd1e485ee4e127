/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a file's bytes are, it is read or refused by the documented exception. */
final class BrokenFilesTest {
  private static final int EDITS = Integer.getInteger("stencil.test.edits", 12);

  @TempDir private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    FieldFixtures.unpack("npy", folder);
    FieldFixtures.unpack("zarr", folder);
    FieldFixtures.unpack("science", folder);
  }

  private static List<String> fields() {
    return List.of(
        "npy/little-f4.npy",
        "npy/fortran-solid.npy",
        "npy/version3.npy",
        "npy/big-u8.npy",
        "zarr/v3/edge",
        "zarr/v3/gzip",
        "zarr/v3/zstd",
        "zarr/v3/checksum",
        "zarr/v3/transpose-twice",
        "zarr/v3/shards",
        "zarr/v3/shards-start",
        "zarr/v3/shards-turned",
        "zarr/v3/fill-nan",
        "zarr/v2/fortran-solid",
        "zarr/v2/zstd",
        "zarr/v2/blosc-blocks",
        "zarr/v2/blosc-zlib",
        "zarr/v2/blosc-zstd",
        "zarr/v2/named",
        "zarr/v2/blosc-blosclz",
        "zarr/v2/blosc-snappy",
        "science/xarray.zarr/t2m",
        "science/netcdf.zarr/several",
        "science/codecs/bits-blocks",
        "science/codecs/filter-compressed",
        "science/codecs/filter-offset",
        "science/codecs/filter-packbits");
  }

  @ParameterizedTest
  @MethodSource("fields")
  void areReadOrRefused(String field) throws IOException {
    Random random = new Random(field.hashCode());
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder.resolve(field))) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    List<Long> shape = read(field, null);
    int refused = 0;
    for (int edit = 0; edit < EDITS * files.size(); edit++) {
      Path file = files.get(edit % files.size());
      byte[] whole = Files.readAllBytes(file);
      try {
        Files.write(file, edited(whole, random));
        read(field, shape);
      } catch (FieldFileException e) {
        assertThat(e).hasMessageContaining(folder.toString());
        refused++;
      } finally {
        Files.write(file, whole);
      }
    }
    assertThat(refused).isPositive();
  }

  /** Reads the cells that the field had before the edit, if it still has them. */
  private static List<Long> read(String field, List<Long> before) {
    try (FieldReader reader = FieldPaths.open(folder.resolve(field).toString(), HADOOP)) {
      List<Long> shape = reader.shape();
      if (before != null && shape.size() == before.size()) {
        Box whole = FieldFixtures.whole(before);
        List<Long> end = whole.extent().sizes().stream().map(Integer::longValue).toList();
        for (int axis = 0; axis < shape.size(); axis++) {
          if (shape.get(axis) < end.get(axis)) {
            return shape;
          }
        }
        reader.read(whole, ElementType.F32);
      }
      return shape;
    }
  }

  /** Cuts the file, flips bits, or puts other digits into its text. */
  private static byte[] edited(byte[] whole, Random random) {
    if (whole.length == 0) {
      return new byte[] {1};
    }
    byte[] bytes = whole.clone();
    switch (random.nextInt(4)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> {
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 2 -> {
        for (int i = 0; i < bytes.length; i++) {
          if (bytes[i] >= '0' && bytes[i] <= '9' && random.nextInt(4) == 0) {
            bytes[i] = (byte) ('0' + random.nextInt(10));
          }
        }
      }
      default -> {
        int start = random.nextInt(bytes.length);
        int end = Math.min(bytes.length, start + 1 + random.nextInt(8));
        Arrays.fill(bytes, start, end, (byte) (random.nextBoolean() ? 0xff : '9'));
      }
    }
    return bytes;
  }
}
