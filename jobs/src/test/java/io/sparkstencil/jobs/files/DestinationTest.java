/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DestinationTest {
  /** Made once: it reads files of Hadoop's. */
  private static final Configuration HADOOP = new Configuration();

  @TempDir private Path folder;

  @Test
  void isEmptyUntilCommitted() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "new");
      assertThat(folder.resolve("table")).doesNotExist();
      destination.commit();
    }
    assertThat(folder.resolve("table/part-0")).hasContent("new");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void leavesNothingWhenNotCommitted() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "half");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void replacesWhatIsThereOnlyInTheEnd() throws IOException {
    writeFile(folder.resolve("table/part-0"), "old");

    try (Destination destination = at("table", true)) {
      writeTable(destination, "new");
      assertThat(folder.resolve("table/part-0")).hasContent("old");
      destination.commit();
    }
    assertThat(folder.resolve("table/part-0")).hasContent("new");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void keepsWhatIsThereWhenTheWritingFails() throws IOException {
    writeFile(folder.resolve("table/part-0"), "old");

    try (Destination destination = at("table", true)) {
      writeTable(destination, "half");
    }
    assertThat(folder.resolve("table/part-0")).hasContent("old");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void replacesNoFolderThatHoldsOtherThingsThanATable() throws IOException {
    writeFile(folder.resolve("table/_SUCCESS"), "");
    writeFile(folder.resolve("table/precious.txt"), "mine");

    assertThatThrownBy(() -> at("table", true))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("holds precious.txt");
    assertThat(folder.resolve("table/precious.txt")).hasContent("mine");
  }

  @Test
  void refusesWhatHasComeIntoBeingMeanwhile() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "ours");
      writeFile(folder.resolve("table/part-0"), "theirs");
      assertThatThrownBy(destination::commit)
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("was created while the job ran");
    }
    assertThat(folder.resolve("table/part-0")).hasContent("theirs");
  }

  /** Whoever comes between a look at the place and the renaming must lose nothing. */
  @Test
  void ofTwoThatComeAtOnceOneIsRefused() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    for (int round = 0; round < 400; round++) {
      Path place = folder.resolve("file-" + round);
      CyclicBarrier together = new CyclicBarrier(2);
      try (Destination mine = file(place)) {
        mine.write(file -> Files.writeString(file, "mine"));
        Future<Boolean> theirs =
            other.submit(
                () -> {
                  together.await();
                  try {
                    Files.createFile(place);
                    return true;
                  } catch (FileAlreadyExistsException e) {
                    return false;
                  }
                });
        together.await();
        boolean committed = isCommitted(mine);
        assertThat(theirs.get()).as("round %d", round).isNotEqualTo(committed);
        assertThat(place).hasContent(committed ? "mine" : "");
      }
    }
    other.shutdown();
  }

  @Test
  void ofTwoTablesThatComeAtOnceOneIsRefused() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    for (int round = 0; round < 100; round++) {
      CyclicBarrier together = new CyclicBarrier(2);
      try (Destination first = at("table-" + round, false);
          Destination second = at("table-" + round, false)) {
        writeTable(first, "first");
        writeTable(second, "second");
        Future<Boolean> theirs =
            other.submit(
                () -> {
                  together.await();
                  return isCommitted(second);
                });
        together.await();
        boolean committed = isCommitted(first);
        assertThat(theirs.get()).as("round %d", round).isNotEqualTo(committed);
        assertThat(folder.resolve("table-%d/part-0".formatted(round)))
            .hasContent(committed ? "first" : "second");
      }
    }
    other.shutdown();
    assertThat(names()).hasSize(100);
  }

  private static boolean isCommitted(Destination destination) {
    try {
      destination.commit();
      return true;
    } catch (InvalidStencilException e) {
      assertThat(e).hasMessageContaining("was created while the job ran");
      return false;
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsRefusedBeforeAnyWork() throws IOException {
    writeFile(folder.resolve("file"), "mine");
    String inFile = folder.resolve("file/kept").toString();
    assertThatThrownBy(() -> Destination.requireFolder("--checkpoint", inFile, HADOOP))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("cannot write to")
        .hasMessageContaining("is a file; choose another place for --checkpoint " + inFile);

    Destination.requireFolder("--checkpoint", folder.resolve("kept").toString(), HADOOP);
    assertThat(names()).containsExactly("file");
    writeFile(folder.resolve("kept/step-3/zarr.json"), "{}");
    Destination.requireFolder("--checkpoint", folder.resolve("kept").toString(), HADOOP);
    assertThat(folder.resolve("kept")).isDirectoryContaining("glob:**step-3");
  }

  @Test
  void makesTheFoldersAbove() throws IOException {
    try (Destination destination = at("a/b/table", false)) {
      writeTable(destination, "new");
      destination.commit();
    }
    assertThat(folder.resolve("a/b/table/part-0")).hasContent("new");
  }

  private static Destination file(Path place) {
    return Destination.file("--output", place.toString(), false, HADOOP, note -> {});
  }

  private Destination at(String name, boolean overwrite) {
    return Destination.table(
        "--output", folder.resolve(name).toString(), overwrite, HADOOP, note -> {});
  }

  private static void writeTable(Destination destination, String content) throws IOException {
    writeFile(Path.of(destination.temporary().toUri().getPath()).resolve("part-0"), content);
  }

  private static void writeFile(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
