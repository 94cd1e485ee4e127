/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.AllocatedBytes;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * However a file is mutated, reading it takes no more memory than the bytes of the file allow. Each
 * mutation has a seed. {@code -Dstencil.test.mutations=20000} makes more of them for each format,
 * from {@code -Dstencil.test.mutations.first} on, and says how many were refused; {@code
 * -Dstencil.test.mutations.more=DIR} has more files to mutate, in folders of the same names. With
 * {@code -Dtest.heap=512m -Dtest.pace.options=-XX:+UseSerialGC} the heap is small, too.
 */
final class MutatedFilesTest {
  private static final int MUTATIONS = Integer.getInteger("stencil.test.mutations", 300);
  private static final long FIRST = Long.getLong("stencil.test.mutations.first", 0);
  private static final String MORE = System.getProperty("stencil.test.mutations.more");

  /** Seeds that follow each other draw nearly the same number first. */
  private static final long MIXING = 0x9E3779B97F4A7C15L;

  /** A second would do, where the machine has nothing else to do. */
  private static final double MOST_SECONDS = 30;

  /** What reading takes for each byte of the file, and for a file of none. */
  private static final long MOST_FACTOR = 16;

  private static final long CONSTANT_BYTES = 8 << 20;

  /** What hostile writers put in place of numbers. */
  private static final List<String> NUMBERS =
      List.of("0", "1", "-1", "255", "65536", "2147483647", "4294967296", "9223372036854775807");

  @TempDir private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    FieldFixtures.unpack("npy", folder);
    FieldFixtures.unpack("zarr", folder);
    FieldFixtures.unpack("small", folder);
    if (MORE != null) {
      copyMore(Path.of(MORE));
    }
  }

  private static void copyMore(Path from) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        Path to = folder.resolve(from.relativize(each).toString());
        Files.createDirectories(to.getParent());
        Files.copy(each, to);
      }
    }
  }

  /** Returns the fields below a folder: files of NumPy, and folders with metadata of arrays. */
  private static List<Path> fields(String format) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve(format))) {
      return all.filter(
              each ->
                  !format.startsWith("zarr")
                      ? Files.isRegularFile(each)
                      : Files.exists(each.resolve("zarr.json"))
                          || Files.exists(each.resolve(".zarray"))
                          || Files.exists(each.resolve(".zgroup")))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "npy, 1, ''",
    "zarr/v2, 2, ''",
    "zarr/v3, 3, ''",
    "zarr/v2/group, 7, /u",
    "zarr/v3/group, 8, /u",
    "small/hdf5, 4, /group/u",
    "small/netcdf, 5, /u",
    "small/tiff, 6, ''"
  })
  void takeNoMoreMemoryThanTheirBytesAllow(String format, long firstSeed, String inside)
      throws IOException {
    List<Path> fields = new ArrayList<>();
    Map<Path, Box> boxes = new HashMap<>();
    for (Path field : fields(format)) {
      try (FieldReader reader = FieldPaths.open(name(field, inside), HADOOP)) {
        boxes.put(field, FieldFixtures.whole(reader.shape()));
        fields.add(field);
      } catch (FieldFileException e) {
        assertThat(e).hasMessageContaining(field.toString()); // a group, or a kind that is refused
      }
    }
    assertThat(fields).hasSizeGreaterThan(format.endsWith("group") ? 0 : 4);
    int refused = 0;
    for (long i = FIRST; i < FIRST + MUTATIONS; i++) {
      long seed = firstSeed * 1_000_000_007L + i;
      Path field = fields.get((int) (i % fields.size()));
      refused += mutate(field, inside, boxes.get(field), seed) ? 1 : 0;
    }
    if (MUTATIONS > 300) {
      System.out.printf(
          "%s: %d mutations of %d fields, %d refused%n", format, MUTATIONS, fields.size(), refused);
    }
    assertThat(refused).isBetween(MUTATIONS / 10, MUTATIONS - 1);
  }

  /** NetCDF-4 files have their arrays in a group. */
  private static String name(Path field, String inside) {
    boolean grouped = field.getFileName().toString().startsWith("netcdf4");
    return field + (grouped ? "/group" : "") + inside;
  }

  /** Reads a field with one mutated file; returns whether it was refused. */
  private static boolean mutate(Path field, String inside, Box box, long seed) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(field)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    Random random = new Random(seed * MIXING);
    Path file = files.get(random.nextInt(files.size()));
    byte[] whole = Files.readAllBytes(file);
    byte[] mutated = mutated(whole, random);
    long bytes = mutated.length - whole.length;
    for (Path each : files) {
      bytes += Files.size(each);
    }
    boolean[] refused = {false};
    try {
      Files.write(file, mutated);
      long start = System.nanoTime();
      long allocated =
          AllocatedBytes.of(
              () -> {
                try (FieldReader reader = FieldPaths.open(name(field, inside), HADOOP)) {
                  reader.read(box, ElementType.F64);
                } catch (FieldFileException e) {
                  refused[0] = true;
                }
              });
      assertThat(allocated)
          .as("bytes allocated for %d of %s, file %s, seed %d", bytes, field, file, seed)
          .isLessThanOrEqualTo(MOST_FACTOR * bytes + CONSTANT_BYTES);
      assertThat((System.nanoTime() - start) * 1e-9)
          .as("seconds for %s, file %s, seed %d", field, file, seed)
          .isLessThan(MOST_SECONDS);
    } finally {
      Files.write(file, whole);
    }
    return refused[0];
  }

  private static byte[] mutated(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    for (int edits = 1 + random.nextInt(3); edits > 0 && bytes.length > 0; edits--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes = replaced(bytes, at, at, copy(bytes, random));
        case 2 -> bytes = replaced(bytes, at, Math.min(bytes.length, at + 9), new byte[0]);
        case 3 -> bytes = numbered(bytes, at, random);
        default -> {
          for (int i = at; i < Math.min(bytes.length, at + 8); i++) {
            bytes[i] = (byte) (random.nextBoolean() ? 0xff : 0x7f);
          }
        }
      }
    }
    return bytes;
  }

  private static byte[] copy(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length);
    return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(200)));
  }

  /** Puts another number in place of the next one in a text. */
  private static byte[] numbered(byte[] bytes, int at, Random random) {
    int from = at;
    while (from < bytes.length && (bytes[from] < '0' || bytes[from] > '9')) {
      from++;
    }
    int end = from;
    while (end < bytes.length && bytes[end] >= '0' && bytes[end] <= '9') {
      end++;
    }
    return replaced(
        bytes,
        from,
        end,
        NUMBERS.get(random.nextInt(NUMBERS.size())).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] replaced(byte[] bytes, int from, int end, byte[] by) {
    byte[] made = new byte[bytes.length - (end - from) + by.length];
    System.arraycopy(bytes, 0, made, 0, from);
    System.arraycopy(by, 0, made, from, by.length);
    System.arraycopy(bytes, end, made, from + by.length, bytes.length - end);
    return made;
  }
}
