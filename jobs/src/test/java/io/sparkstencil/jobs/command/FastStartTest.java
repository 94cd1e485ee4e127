/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.HeldLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes; a script of the shell stands for the JVM that makes it. */
final class FastStartTest {
  private static final String MAKES =
      "for word; do case \"$word\" in -XX:ArchiveClassesAtExit=*) echo made > \"${word#*=}\";; esac; done";

  @TempDir private Path folder;

  @Test
  void makesTheArchiveAndLeavesNothingElse() throws IOException {
    assertThat(make("stencil-1-1.jsa", MAKES)).contains("preparing fast starts");

    assertThat(folder.resolve("stencil-1-1.jsa")).hasContent("made\n");
    assertThat(names()).containsExactly("java", "stencil-1-1.jsa", "stencil-archive.lock");
  }

  @Test
  void keepsTheArchivesOfOtherJvmsAndRemovesThoseOfOlderBuilds() throws IOException {
    for (String name : List.of("stencil-1-1.jsa", "stencil-1-2.jsa", "stencil-77.jsa")) {
      Files.writeString(folder.resolve(name), "of a build before");
    }
    make("stencil-2-1.jsa", MAKES);
    make("stencil-2-2.jsa", MAKES);

    assertThat(names())
        .containsExactly("java", "stencil-2-1.jsa", "stencil-2-2.jsa", "stencil-archive.lock");
  }

  @Test
  void leavesItToTheProcessThatIsAtIt() throws IOException {
    try (HeldLock other = new HeldLock(folder.resolve("stencil-archive.lock"))) {
      assertThat(make("stencil-1-1.jsa", MAKES)).isEmpty();
      assertThat(folder.resolve("stencil-1-1.jsa")).doesNotExist();
      assertThat(other.isHeld()).isTrue();
    }
    assertThat(make("stencil-1-1.jsa", MAKES)).contains("preparing");
  }

  @Test
  void doesNotTryAgainWhereAJvmMakesNone() throws IOException {
    make("stencil-1-1.jsa", "exit 0");

    assertThat(folder.resolve("stencil-1-1.jsa")).isEmptyFile();
    assertThat(make("stencil-1-1.jsa", MAKES)).isEmpty();
  }

  @Test
  void leavesNoneWhereItIsInterrupted() throws IOException {
    make("stencil-1-1.jsa", MAKES + "; kill -9 $$");

    assertThat(names()).containsExactly("java", "stencil-archive.lock");
  }

  /** Returns what is said. */
  private String make(String archive, String script) throws IOException {
    Path java = folder.resolve("java");
    Files.writeString(java, "#!/bin/bash\n" + script + "\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    StringWriter said = new StringWriter();
    new FastStart(folder.resolve(archive), List.of(java.toString()))
        .make(new PrintWriter(said, true));
    return said.toString();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
