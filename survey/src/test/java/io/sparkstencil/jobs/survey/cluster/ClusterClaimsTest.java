/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterClaimsTest {
  @TempDir private Path folder;

  @Test
  void theFirstHasIt() {
    assertThat(new Claims(folder, "run").take("GPU-1")).isTrue();
    assertThat(new Claims(folder, "run").take("GPU-1")).isFalse();
    assertThat(new Claims(folder, "run").take("GPU-2")).isTrue();
    assertThat(new Claims(folder, "other").take("GPU-1")).isTrue();
  }

  @Test
  void liesInAFolderThatNoOtherUserMayWriteTo() throws IOException {
    new Claims(folder, "a/b").take("0000:3b:00.0");

    Path ours = folder.resolve("stencil-survey-a_b");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours)))
        .isEqualTo("rwx------");
    assertThat(ours.resolve("0000_3b_00.0")).exists();
  }

  @Test
  void refusesALinkThatLiesThere() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("stencil-survey-run"), elsewhere);

    assertThatThrownBy(() -> new Claims(folder, "run").take("GPU-1"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("stencil-survey-run: it is no folder, of ")
        .hasMessageContaining("set -Djava.io.tmpdir to a folder of your own");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void removesWhatKilledExecutorsHaveLeftADayBefore() throws IOException {
    String old = "stencil-survey-" + UUID.randomUUID();
    String recent = "stencil-survey-" + UUID.randomUUID();
    List<String> somebodys = List.of("stencil-survey-h100", "other");
    for (String name : List.of(old, recent, somebodys.get(0), somebodys.get(1))) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("GPU-1"), "");
      if (!name.equals(recent)) {
        Files.setLastModifiedTime(
            folder.resolve(name), FileTime.from(Instant.now().minus(Duration.ofHours(25))));
      }
    }
    new Claims(folder, "run").take("GPU-1");

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(recent, "stencil-survey-run", "stencil-survey-h100", "other");
    }
  }
}
