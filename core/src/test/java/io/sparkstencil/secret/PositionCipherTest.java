/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes come back from any place, however they were written, and none are there in plain. */
final class PositionCipherTest {
  private static final int LENGTH = 3000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  void anyPartIsReadAsItWasWrittenLast(int keyBits) {
    Random random = new Random(keyBits);
    byte[] plain = new byte[LENGTH];
    byte[] stored = new byte[LENGTH];
    PositionCipher cipher = new PositionCipher(keyBits);
    for (int i = 0; i < 2000; i++) {
      int at = random.nextInt(LENGTH);
      int count = random.nextInt(LENGTH - at + 1);
      if (i == 0 || random.nextBoolean()) {
        at = i == 0 ? 0 : at;
        count = i == 0 ? LENGTH : count;
        byte[] written = new byte[count];
        random.nextBytes(written);
        System.arraycopy(written, 0, plain, at, count);
        cipher.encrypt(at, ByteBuffer.wrap(written)).get(stored, at, count);
      }
      ByteBuffer read = ByteBuffer.wrap(stored.clone(), at, count);
      cipher.decrypt(at, read);
      assertThat(Arrays.copyOfRange(read.array(), at, at + count))
          .as("%d bytes at %d", count, at)
          .isEqualTo(Arrays.copyOfRange(plain, at, at + count));
      assertThat(read.position()).isEqualTo(at);
    }
  }

  @Test
  void theSameBytesInTheSamePlaceAreEncryptedOtherwiseEachTime() {
    PositionCipher cipher = new PositionCipher(128);
    ByteBuffer zeros = ByteBuffer.allocate(64);

    byte[] first = cipher.encrypt(32, zeros).array();
    byte[] second = cipher.encrypt(32, zeros).array();

    assertThat(first).isNotEqualTo(second).isNotEqualTo(zeros.array());
    assertThat(new PositionCipher(128).encrypt(32, zeros).array()).isNotEqualTo(first);
    assertThat(zeros.array()).containsOnly(0);
  }

  @Test
  void onlyTheOwnerMayReadAFile() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path file = folder.resolve("f");

    PrivateFile.create(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
