/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.testkit.LiveFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that wait on disk are encrypted where Spark is told to encrypt what it keeps there. */
final class GridSecretsSparkTest {
  private static final WholeGrid WHOLE = WholeGrid.heat(2, ElementType.F64, Boundary.WRAP);

  @TempDir Path local;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noCellOfAGridIsInPlainTextOnDisk(boolean encrypted) throws IOException {
    Sessions.stopOpen();
    SparkSession spark =
        Sessions.builder("local[2]")
            .config("spark.stencil.grid.heapBytes", "1000")
            .config("spark.io.encryption.enabled", encrypted)
            .config("spark.local.dir", local.toString())
            .getOrCreate();
    try (StencilGrid grid = WHOLE.builder(spark).blocks(4).stepsPerExchange(1).create()) {
      StencilGrid later = grid.step(3);
      double[] cells = (double[]) later.read("u");
      Set<Long> stored = stored();

      assertThat(cells).isEqualTo(WHOLE.after(3));
      assertThat(
              DoubleStream.of(cells)
                  .filter(cell -> cell != 0 && stored.contains(Double.doubleToRawLongBits(cell)))
                  .count())
          .isEqualTo(encrypted ? 0 : DoubleStream.of(cells).filter(cell -> cell != 0).count());
    } finally {
      spark.stop();
    }
  }

  /** Returns the words in the files of blocks, which nobody but their owner may read. */
  private Set<Long> stored() throws IOException {
    List<Path> files =
        LiveFolder.files(local).stream()
            .filter(file -> file.getFileName().toString().startsWith("temp_local"))
            .toList();
    assertThat(files).isNotEmpty();
    Set<Long> stored = new HashSet<>();
    for (Path file : files) {
      if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
      while (bytes.remaining() >= Long.BYTES) {
        stored.add(bytes.getLong());
      }
    }
    return stored;
  }
}
