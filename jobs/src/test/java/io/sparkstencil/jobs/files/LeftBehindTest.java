/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.HeldLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process leaves, and what the next one makes of it. */
final class LeftBehindTest {
  private static final String ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  private static final String OTHER_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @Test
  void isRemovedAtTheNextStartAndNamed() throws IOException {
    write(".table.new-" + ID + "/.lock", "");
    write(".table.new-" + ID + "/table/part-0", "half");

    open("table", false).close();

    assertThat(names()).isEmpty();
    assertThat(notes)
        .containsExactly(
            "removed %s, which a run that was killed has left"
                .formatted(folder.resolve(".table.new-" + ID)));
  }

  @Test
  void isNotTakenFromAProcessThatLives() throws Exception {
    write(".table.new-" + ID + "/table/part-0", "half");
    write(".table.old-" + ID + "/part-0", "old");
    try (HeldLock other = new HeldLock(folder.resolve(".table.new-" + ID + "/.lock"));
        Destination mine = open("table", false)) {
      mine.requireWritable();
      open("table", false).close();

      assertThat(other.isHeld()).isTrue();
      assertThat(names())
          .hasSize(3)
          .contains(".table.new-" + ID, ".table.old-" + ID)
          .contains(mine.temporary().getParent().getName());
    }
    assertThat(notes).isEmpty();

    open("table", true).close();
    assertThat(names()).containsExactly("table");
  }

  @Test
  void ofAReplacementHalfDoneIsPutBack() throws IOException {
    write(".table.new-" + ID + "/.lock", "");
    write(".table.new-" + ID + "/table/part-0", "new");
    write(".table.old-" + ID + "/part-0", "old");

    assertThatThrownBy(() -> open("table", false))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("table exists; choose another place, or use --overwrite");

    assertThat(names()).containsExactly("table");
    assertThat(folder.resolve("table/part-0")).hasContent("old");
    assertThat(notes.get(0))
        .isEqualTo(
            "%s is again what it was before a run that was killed while it replaced it",
            folder.resolve("table"));
  }

  @Test
  void ofAReplacementWhosePlaceIsStillEmptyIsPutBack() throws IOException {
    Files.createDirectory(folder.resolve("table"));
    write(".table.new-" + ID + "/.lock", "");
    write(".table.new-" + ID + "/table/part-0", "new");
    write(".table.old-" + ID + "/part-0", "old");

    open("table", true).close();

    assertThat(names()).containsExactly("table");
    assertThat(folder.resolve("table/part-0")).hasContent("old");
  }

  @Test
  void ofAReplacementThatWasInterruptedIsPutBackToo() throws IOException {
    write(".a.npy.old-" + ID, "old");
    String file = folder.resolve("a.npy").toString();

    Destination.file("--output", file, true, new Configuration(), notes::add).close();

    assertThat(folder.resolve("a.npy")).hasContent("old");
  }

  @Test
  void ofAReplacementThatWasDoneIsRemoved() throws IOException {
    write("table/part-0", "new");
    write(".table.new-" + ID + "/.lock", "");
    write(".table.old-" + ID + "/part-0", "old");

    open("table", true).close();

    assertThat(names()).containsExactly("table");
    assertThat(folder.resolve("table/part-0")).hasContent("new");
  }

  @Test
  void withoutALockIsRemovedWhenItIsOld() throws IOException {
    write(".table.new-" + ID + "/table/part-0", "of a day before");
    write(".table.new-" + OTHER_ID + "/table/part-0", "of now");
    Files.setLastModifiedTime(
        folder.resolve(".table.new-" + ID),
        FileTime.from(Instant.now().minus(Duration.ofHours(25))));

    open("table", false).close();

    assertThat(names()).containsExactly(".table.new-" + OTHER_ID);
  }

  @Test
  void ofOthersStays() throws IOException {
    List<String> others =
        List.of(".table.new-1", ".table.newer-" + ID, ".other.new-" + ID, "table.new-" + ID);
    for (String each : others) {
      write(each + "/.lock", "");
    }
    open("table", false).close();

    assertThat(names()).containsExactlyInAnyOrderElementsOf(others);
  }

  @Test
  void inTheFolderForTemporaryFilesIsRemovedUnlessItsProcessLives() throws IOException {
    write("stencil-spark-1/.lock", "");
    write("stencil-spark-1/blockmgr/shuffle_0_0_0.data", "rows");
    write("stencil-spark-2/blockmgr/shuffle_0_0_0.data", "rows");
    write("stencil-spark-results/part-0", "somebody's own");
    Files.setLastModifiedTime(
        folder.resolve("stencil-spark-results"),
        FileTime.from(Instant.now().minus(Duration.ofDays(30))));
    write("spark-3/.lock", "");
    try (HeldLock other = new HeldLock(folder.resolve("stencil-spark-2/.lock"))) {
      Path mine = TemporaryFolder.make(folder, notes::add);
      Path second = TemporaryFolder.make(folder, notes::add);

      assertThat(other.isHeld()).isTrue();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine)))
          .isEqualTo("rwx------");
      assertThat(names())
          .containsExactlyInAnyOrder(
              "spark-3",
              "stencil-spark-2",
              "stencil-spark-results",
              mine.getFileName().toString(),
              second.getFileName().toString());
    }
    assertThat(notes)
        .containsExactly(
            "removed %s, which a run that was killed has left"
                .formatted(folder.resolve("stencil-spark-1")));
  }

  private Destination open(String name, boolean overwrite) {
    return Destination.table(
        "--output", folder.resolve(name).toString(), overwrite, new Configuration(), notes::add);
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
