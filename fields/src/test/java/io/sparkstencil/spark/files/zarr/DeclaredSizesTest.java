/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.AllocatedBytes;
import io.sparkstencil.spark.files.FieldFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory is taken by what is read of a store, not by what it declares. */
final class DeclaredSizesTest {
  private static final long FEW_BYTES = 32 << 20;

  @TempDir private Path folder;

  private void metadata(String chunk, String type, String codecs, String more) throws IOException {
    Files.writeString(
        folder.resolve("zarr.json"),
        """
        {"zarr_format": 3, "node_type": "array", "shape": %s, "data_type": "%s",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": %s}},
         "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": %s %s}
        """
            .formatted(chunk, type, chunk, codecs, more));
  }

  private void chunk(ByteBuffer bytes) throws IOException {
    Files.createDirectories(folder.resolve("c"));
    Files.write(folder.resolve("c/0"), bytes.array());
  }

  private void read() {
    ZarrArray.open(folder.toString(), HADOOP).read(Box.whole(Extent.of(4)), ElementType.F32);
  }

  /** Returns what a second attempt allocates: the first one loads classes. */
  private long allocatedAndRefused(String... message) {
    requireRefused(message);
    return AllocatedBytes.of(() -> requireRefused(message));
  }

  private void requireRefused(String... message) {
    try {
      read();
    } catch (FieldFileException e) {
      assertThat(e.getMessage().length()).isLessThan(600);
      assertThat(e).hasMessageContainingAll(message);
      return;
    }
    throw new AssertionError("it was read");
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void aSmallChunkOfBloscTakesLittle() throws IOException {
    for (int format : List.of(1, 3, 4)) {
      metadata("[268435455]", "uint8", "[{\"name\": \"bytes\"}, {\"name\": \"blosc\"}]", "");
      ByteBuffer bytes = little(28);
      bytes.put((byte) 2).put((byte) 1).put((byte) (format << 5 | 16)).put((byte) 1);
      bytes.putInt(1_900_000_000).putInt(1_900_000_000).putInt(28).putInt(20).putInt(4).putInt(7);
      chunk(bytes);

      assertThat(allocatedAndRefused("the chunk", "cannot be read"))
          .as("format %d", format)
          .isLessThan(FEW_BYTES);
    }
  }

  /** Equal cells, whose shuffled bytes or bits compress to almost nothing. */
  @Test
  void whatBloscReallyMakesOfLittleIsRead() throws IOException {
    int cells = 1 << 20;
    int word = Float.floatToRawIntBits(1.5f);
    for (int shuffled : List.of(0, 1, 4)) {
      byte[] block = new byte[4 * cells];
      for (int i = 0; i < block.length; i++) {
        block[i] =
            shuffled == 4
                ? (byte) -(word >>> i / (cells / 8) & 1)
                : (byte) (word >>> 8 * (shuffled == 0 ? i % 4 : i / cells));
      }
      byte[] packed = Zstd.compress(block);
      ByteBuffer bytes = little(24 + packed.length);
      bytes.put((byte) 2).put((byte) 1).put((byte) (4 << 5 | 16 | shuffled)).put((byte) 4);
      bytes.putInt(block.length).putInt(block.length).putInt(24 + packed.length).putInt(20);
      chunk(bytes.putInt(packed.length).put(packed));
      metadata(
          "[%d]".formatted(cells),
          "float32",
          "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}, \"blosc\"]",
          "");

      assertThat(
              ZarrArray.open(folder.toString(), HADOOP)
                  .read(Box.whole(Extent.of(3)), ElementType.F32))
          .as("shuffled %d, %d bytes", shuffled, packed.length)
          .isEqualTo(new float[] {1.5f, 1.5f, 1.5f});
    }
  }

  private static String nested(int depth, String last) {
    String codecs = last;
    for (int i = 0; i < depth; i++) {
      codecs =
          """
          [{"name": "sharding_indexed", "configuration": {"chunk_shape": [4], "codecs": %s,
           "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]
          """
              .formatted(codecs);
    }
    return codecs;
  }

  @Test
  void moreThanSixteenCodecsAreRefused() throws IOException {
    metadata("[4]", "uint8", "[{\"name\": \"bytes\"}%s]".formatted(", \"crc32c\"".repeat(15)), "");
    ZarrArray.open(folder.toString(), HADOOP);
    metadata("[4]", "uint8", "[{\"name\": \"bytes\"}%s]".formatted(", \"crc32c\"".repeat(16)), "");
    assertThatThrownBy(this::read).hasMessageContaining("after 16 others the codec");
    metadata("[4]", "uint8", nested(16, "[\"bytes\"]"), "");
    assertThatThrownBy(this::read).hasMessageContaining("after 16 others the codec");
    metadata("[4]", "uint8", "[{\"name\": \"bytes\"}%s]".formatted(", \"gzip\"".repeat(9999)), "");
    assertThat(allocatedAndRefused("after 16 others the codec")).isLessThan(FEW_BYTES);
  }

  @Test
  void chunksOfAShardMayNotShareBytes() throws IOException {
    metadata("[8]", "uint8", nested(1, "[\"bytes\"]"), "");
    chunk(little(4 + 32).putInt(0).putLong(0).putLong(4).putLong(0).putLong(4));
    assertThatThrownBy(
            () ->
                ZarrArray.open(folder.toString(), HADOOP)
                    .read(Box.whole(Extent.of(8)), ElementType.F32))
        .hasMessageContaining("says that bytes 0 to 4 are a chunk, and 0 to 4 something else");
    chunk(little(4 + 32).putInt(0).putLong(0).putLong(4).putLong(8).putLong(4));
    assertThatThrownBy(
            () ->
                ZarrArray.open(folder.toString(), HADOOP)
                    .read(Box.whole(Extent.of(8)), ElementType.F32))
        .hasMessageContaining("something else");
  }

  @Test
  void metadataHaveFewBytesAndValues() throws IOException {
    metadata(
        "[4]",
        "uint8",
        "[\"bytes\"]",
        ", \"attributes\": {\"a\": \"%s\"}".formatted("x".repeat(4 << 20)));
    assertThat(allocatedAndRefused("at most 4194304 are expected")).isLessThan(FEW_BYTES);
    metadata(
        "[4]",
        "uint8",
        "[\"bytes\"]",
        ", \"attributes\": {\"a\": [0%s]}".formatted(",0".repeat(70_000)));
    assertThat(allocatedAndRefused("more than 65536 names and values")).isLessThan(FEW_BYTES);
  }

  @Test
  void messagesRepeatALineOfAFileAtMost() throws IOException {
    String name = "n".repeat(40_000);
    metadata("[4]", "uint8", "[\"bytes\"]", ", \"%s\": 1".formatted(name));
    assertThat(allocatedAndRefused("the extension \"nnn")).isPositive();
    metadata("[4]", "uint8", "[\"%s\"]".formatted(name), "");
    assertThat(allocatedAndRefused("the codec")).isPositive();
    metadata("[4]", "uint8", "[\"bytes\"]", ", \"%s\": 1, \"%s\": 1".formatted(name, name));
    assertThat(allocatedAndRefused("is not JSON")).isPositive();
  }

  @Test
  void theBytesOfAChunkHaveALimitThatCanBeSet() throws IOException {
    metadata(
        "[268435455]",
        "float64",
        "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"big\"}}]",
        "");
    assertThatThrownBy(this::read)
        .hasMessageContaining("chunks of 2147483640 bytes")
        .hasMessageContaining("stencil.zarr.chunk.bytes allows 1073741824; raise it");
    Configuration raised = new Configuration(HADOOP);
    raised.setLong(ZarrArray.CHUNK_BYTES, 1L << 31);
    assertThat(ZarrArray.open(folder.toString(), raised).chunks().cells()).isEqualTo(268435455);
  }
}
