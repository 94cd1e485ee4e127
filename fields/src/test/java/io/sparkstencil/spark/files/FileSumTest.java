/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.files.codec.Checksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileSumTest {
  @TempDir private Path folder;

  /** Both have the same crc32c, as all bytes that end with their own. */
  @Test
  void tellsChunksOfOneLengthApartThatEndWithTheirOwnChecksums() throws IOException {
    byte[] one = chunk(1, 2, 3, 4);
    byte[] other = chunk(5, 6, 7, 8);
    FileSum sum = FileSum.of("c/0", ByteBuffer.wrap(one));
    StoredFile file = StoredFile.of(folder.resolve("0").toString(), HADOOP);

    Files.write(folder.resolve("0"), one);
    assertThat(sum.read(file)).isEqualTo(one);
    Files.write(folder.resolve("0"), other);
    assertThatThrownBy(() -> sum.read(file))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("it has changed since");
  }

  private static byte[] chunk(int... cells) {
    ByteBuffer plain = ByteBuffer.allocate(Integer.BYTES * cells.length);
    Arrays.stream(cells).forEach(plain::putInt);
    ByteBuffer stored = new Checksum().encode(plain.flip());
    byte[] bytes = new byte[stored.remaining()];
    stored.get(bytes);
    return bytes;
  }
}
