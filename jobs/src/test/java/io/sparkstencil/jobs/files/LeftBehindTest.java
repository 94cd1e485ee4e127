/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.HeldLock;
import io.sparkstencil.spark.files.FactLines;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a killed process leaves, and what the next one makes of it. */
final class LeftBehindTest {
  private static final String ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  private static final String OTHER_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @Test
  void isRemovedAtTheNextStartAndNamed() throws IOException {
    lock(".table.new-" + ID, LockedFolder.here());
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
    lock(".table.new-" + ID, LockedFolder.here());
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
    lock(".table.new-" + ID, LockedFolder.here());
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
    lock(".table.new-" + ID, LockedFolder.here());
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
    lock(".table.new-" + ID, LockedFolder.here());
    write(".table.old-" + ID + "/part-0", "old");

    open("table", true).close();

    assertThat(names()).containsExactly("table");
    assertThat(folder.resolve("table/part-0")).hasContent("new");
  }

  /** A lock that this host does not see may be there all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"host", "boot"})
  void ofAnotherHostStaysAndIsNamedAfterADay(String fact) throws IOException {
    List<String> lines = new String(LockedFolder.here(), UTF_8).lines().toList();
    FactLines changed = new FactLines(lines.get(0));
    for (String line : lines.subList(1, lines.size() - 1)) {
      String[] parts = line.split("=", 2);
      changed.with(parts[0], parts[0].equals(fact) ? "another" : parts[1]);
    }
    String name = ".table.new-" + ID;
    write(name + "/table/part-0", "half");
    write(".table.old-" + ID + "/part-0", "old");
    lock(name, changed.bytes());

    Workshop later = new Workshop(local(), new org.apache.hadoop.fs.Path(at("table").toUri()));
    later.putRight(notes::add, true);
    assertThat(notes).isEmpty();
    ageByADay(name);
    later.putRight(notes::add, true);

    assertThat(names()).containsExactly(name, ".table.old-" + ID);
    assertThat(notes)
        .singleElement()
        .asString()
        .contains(name + " is of a run that was killed, or that has lasted for a day");

    later.putRight(notes::add, false); // a disk of this host alone, which was started again
    assertThat(names()).containsExactly("table");
  }

  @Test
  void ofThisHostIsRemovedFromAFileSystemThatHostsShare() throws IOException {
    lock(".table.new-" + ID, LockedFolder.here());

    new Workshop(local(), new org.apache.hadoop.fs.Path(at("table").toUri()))
        .putRight(notes::add, true);

    assertThat(names()).isEmpty();
    assertThat(LockedFolder.isShared(folder.resolve("missing"))).isTrue();
  }

  private Path at(String name) {
    return folder.resolve(name);
  }

  private static FileSystem local() throws IOException {
    return FileSystem.getLocal(new Configuration());
  }

  @Test
  void whoseLockSaysNothingIsRemovedWhenItIsOld() throws IOException {
    for (byte[] lock : List.of(new byte[0], Arrays.copyOf(LockedFolder.here(), 60))) {
      String name = ".table.new-" + ID;
      lock(name, lock);
      open("table", false).close();
      assertThat(names()).containsExactly(name);
      ageByADay(name);

      open("table", false).close();
      assertThat(names()).isEmpty();
    }
  }

  /** As NFS does: what is open and removed stays under another name until it is closed. */
  @Test
  void isRemovedWhereOpenFilesStayUntilTheyAreClosed() throws IOException {
    Path place = folder.resolve("made");
    AtomicInteger calls = new AtomicInteger();
    LockedFolder made = LockedFolder.make(place);
    boolean gone =
        made.remove(
            removed -> {
              calls.incrementAndGet();
              if (Files.exists(removed.resolve(".lock"))) {
                Files.move(removed.resolve(".lock"), removed.resolve(".nfs0001"));
                return false;
              }
              Files.deleteIfExists(removed.resolve(".nfs0001"));
              Files.delete(removed);
              return true;
            });

    assertThat(gone).isTrue();
    assertThat(calls).hasValue(2);
    assertThat(place).doesNotExist();
  }

  /** A file system that does as NFS does, seen by an output that is given up. */
  @Test
  void ofAnOutputThatIsGivenUpIsNothingWhereOpenFilesStay() throws IOException {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.file.impl", LateFileSystem.class.getName());
    hadoop.setBoolean("fs.file.impl.disable.cache", true);
    Destination.table("--output", folder.resolve("t").toString(), false, hadoop, notes::add)
        .close();
    try (Destination table =
        Destination.table("--output", folder.resolve("t").toString(), false, hadoop, notes::add)) {
      table.requireWritable();
      assertThat(names()).hasSize(1);
    }

    assertThat(names()).isEmpty();
  }

  /** Removes no folder whose lock is held: its file stays, under another name. */
  public static final class LateFileSystem extends RawLocalFileSystem {
    @Override
    public boolean delete(org.apache.hadoop.fs.Path place, boolean recursive) throws IOException {
      Path lock = Path.of(place.toUri().getPath()).resolve(".lock");
      Path late = lock.resolveSibling(".nfs0001");
      if (Files.exists(lock)) {
        Files.move(lock, late);
        return false;
      }
      return super.delete(place, recursive);
    }
  }

  @Test
  void onAFileSystemOfOtherMachinesStaysAndIsNamedAfterADay() throws IOException {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.far.impl", FarFileSystem.class.getName());
    String table = "far://" + folder.resolve("table");
    for (String id : List.of(ID, OTHER_ID)) {
      write(".table.new-" + id + "/table/part-0", "half");
    }
    ageByADay(".table.new-" + ID);

    Destination.table("--output", table, false, hadoop, notes::add).close();

    assertThat(names()).containsExactlyInAnyOrder(".table.new-" + OTHER_ID, ".table.new-" + ID);
    assertThat(notes)
        .singleElement()
        .asString()
        .contains("/.table.new-" + ID + " is of a run that was killed, or that has lasted");
  }

  /** The files of this machine, as another one's. */
  public static final class FarFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("far:///");
    }

    @Override
    public String getScheme() {
      return "far";
    }
  }

  private void ageByADay(String name) throws IOException {
    Files.setLastModifiedTime(
        folder.resolve(name), FileTime.from(Instant.now().minus(Duration.ofHours(25))));
  }

  private void lock(String name, byte[] content) throws IOException {
    Files.createDirectories(folder.resolve(name));
    Files.write(folder.resolve(name).resolve(".lock"), content);
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
      lock(each, LockedFolder.here());
    }
    open("table", false).close();

    assertThat(names()).containsExactlyInAnyOrderElementsOf(others);
  }

  @Test
  void inTheFolderForTemporaryFilesIsRemovedUnlessItsProcessLives() throws IOException {
    lock("stencil-spark-1", LockedFolder.here());
    write("stencil-spark-1/blockmgr/shuffle_0_0_0.data", "rows");
    write("stencil-spark-2/blockmgr/shuffle_0_0_0.data", "rows");
    write("stencil-spark-results/part-0", "somebody's own");
    Files.setLastModifiedTime(
        folder.resolve("stencil-spark-results"),
        FileTime.from(Instant.now().minus(Duration.ofDays(30))));
    lock("spark-3", LockedFolder.here());
    lock("stencil-spark-2", LockedFolder.here());
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
