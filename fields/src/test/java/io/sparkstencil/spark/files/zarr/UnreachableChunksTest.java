/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.UnlistedFileSystem;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks that are missing have the fill value; chunks that cannot be reached are failures. */
@Timeout(60)
final class UnreachableChunksTest {
  @TempDir private Path folder;

  private Path array;
  private Path chunk;

  @BeforeEach
  void write() {
    array = folder.resolve("u.zarr");
    chunk = array.resolve("c/1");
    FieldWriter writer =
        ZarrArray.create(
            array.toString(), ZarrLayout.of(ElementType.F64, List.of(6L), Extent.of(2)), HADOOP);
    writer.write(Box.whole(Extent.of(6)), new double[] {1, 2, 3, 4, 5, 6}, HADOOP);
    writer.commit(HADOOP);
  }

  private double[] read(String path) {
    try (FieldReader reader = FieldPaths.open(path, HADOOP)) {
      return (double[]) reader.read(Box.whole(Extent.of(6)), ElementType.F64);
    }
  }

  private enum Obstacle {
    FOLDER {
      @Override
      void put(Path chunk) throws IOException {
        Files.createDirectory(chunk);
      }
    },
    DANGLING_LINK {
      @Override
      void put(Path chunk) throws IOException {
        Files.createSymbolicLink(chunk, Path.of("nowhere"));
      }
    },
    LOOP {
      @Override
      void put(Path chunk) throws IOException {
        Files.createSymbolicLink(chunk, chunk);
      }
    },
    PIPE {
      @Override
      void put(Path chunk) throws IOException {
        run("mkfifo", chunk.toString());
      }
    },
    DANGLING_LINK_ON_THE_WAY {
      @Override
      void put(Path chunk) throws IOException {
        Files.move(chunk.getParent(), chunk.resolveSibling("../elsewhere"));
        Files.createSymbolicLink(chunk.getParent(), Path.of("nowhere"));
      }
    },
    FILE_ON_THE_WAY {
      @Override
      void put(Path chunk) throws IOException {
        Files.move(chunk.getParent(), chunk.resolveSibling("../elsewhere"));
        Files.writeString(chunk.getParent(), "");
      }
    };

    abstract void put(Path chunk) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void areRefusedByName(Obstacle obstacle) throws IOException {
    Files.delete(chunk);
    obstacle.put(chunk);

    for (String path : new String[] {array.toString(), FieldFixtures.whole(array)}) {
      assertThatThrownBy(() -> read(path))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining(array + "/c/");
    }
  }

  @Test
  void areRefusedWhereTheFileSystemRefuses() {
    assertThatThrownBy(() -> read("refusing://" + array))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("u.zarr/c/0")
        .hasMessageContaining("Permission denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c", "c/1"})
  void areRefusedWithoutPermission(String place) throws IOException {
    Path closed = array.resolve(place);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    try {
      if (Files.isReadable(closed)) { // as root may
        assumeThat(Path.of("/usr/bin/setpriv")).exists();
        assertThat(ReadWithoutRights.of(array)).contains("failed", "u.zarr/c/");
      } else {
        assertThatThrownBy(() -> read(array.toString()))
            .isInstanceOf(FieldFileException.class)
            .hasMessageContaining("u.zarr/c/");
      }
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void missingOnesHaveTheFillValueAndAreCounted() throws IOException {
    try (FieldReader reader = FieldPaths.open(array.toString(), HADOOP)) {
      assertThat(reader.note()).isEmpty();
    }
    Files.delete(chunk);

    assertThat(read(array.toString())).containsExactly(1, 2, 0, 0, 5, 6);
    try (FieldReader reader = FieldPaths.open(array.toString(), HADOOP)) {
      assertThat(reader.note())
          .hasValueSatisfying(
              note ->
                  assertThat(note)
                      .contains("1 of 3 chunks", array.toString(), "missing", "fill value 0"));
    }
  }

  /** Who may read chunks need not be allowed to list them, and runs do not wait for long lists. */
  @ParameterizedTest
  @ValueSource(strings = {"refused", "unsupported", "endless"})
  void areNotedAsUnknownWhereTheyCannotBeListed(String list) {
    String path = "unlisted://" + list + array;
    try (FieldReader reader = FieldPaths.open(path, HADOOP)) {
      assertThat((double[]) reader.read(Box.whole(Extent.of(6)), ElementType.F64))
          .containsExactly(1, 2, 3, 4, 5, 6);
      long start = System.nanoTime();
      assertThat(reader.note())
          .get()
          .asString()
          .contains("nobody knows how many of 3 chunks of " + path, "have the fill value 0")
          .contains(UnlistedFileSystem.says(list));
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
  }

  private static void run(String... command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).start();
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
