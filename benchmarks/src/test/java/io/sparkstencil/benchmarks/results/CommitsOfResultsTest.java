/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whoever doubts a figure can build the sources that it is of: each commit that results name is one
 * of the history. Where the history is not there or not whole, the test says so and is skipped.
 */
final class CommitsOfResultsTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home"));

  /**
   * A word after what names a commit, or one that has digits and letters of hexadecimal numbers.
   */
  private static final Pattern COMMIT =
      Pattern.compile(
          "(?:\\bcommits?|measured at)\\W{1,6}([0-9a-f]{7,40})\\b"
              + "|(?<![\\w.-])((?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,10})(?![\\w-])");

  private static final int LEAST_COMMITS = 10;

  @Test
  void everyCommitOfAFigureIsInTheHistory() throws Exception {
    List<String> history = history();
    Map<String, Set<String>> missing = new TreeMap<>();
    int found = 0;
    for (Path file : files()) {
      Matcher commit = COMMIT.matcher(Files.readString(file));
      while (commit.find()) {
        found++;
        String name = name(commit);
        if (history.stream().noneMatch(each -> each.startsWith(name))) {
          missing
              .computeIfAbsent(name, any -> new TreeSet<>())
              .add(HOME.relativize(file).toString());
        }
      }
    }
    assertThat(missing).as("commits that no one can build, and the files that name them").isEmpty();
    assertThat(found).isGreaterThan(LEAST_COMMITS);
  }

  @Test
  void commitsAreFoundInFilesAndPages() {
    String text =
        "\"commit\" : \"0214c18\", measured at 1408514; commit 15c993e9, at\n913fb27 | 54a9879 | on 74dc1ca;"
            + " at 1000000 rows, GPU-106d4c86-5da3-11f0-9a01-f7b2c3d4e5f6, 0.0003492e0";

    assertThat(COMMIT.matcher(text).results().map(CommitsOfResultsTest::name))
        .containsExactly("0214c18", "1408514", "15c993e9", "913fb27", "54a9879", "74dc1ca");
  }

  private static String name(MatchResult commit) {
    return commit.group(1) == null ? commit.group(2) : commit.group(1);
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("benchmarks/results", "docs")) {
      try (Stream<Path> all = Files.walk(HOME.resolve(folder))) {
        files.addAll(all.filter(file -> file.toString().matches(".*\\.(json|md)")).toList());
      }
    }
    files.add(HOME.resolve("benchmarks/README.md"));
    return files;
  }

  private static List<String> history() throws Exception {
    assumeThat(HOME.resolve(".git")).as("the history, of which a copy has none").exists();
    assumeThat(git("rev-parse", "--is-shallow-repository"))
        .as("a shallow clone, which has a part of the history (git fetch --unshallow)")
        .containsExactly("false");
    return git("rev-list", "HEAD");
  }

  private static List<String> git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", HOME.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("git failed: %s", said).isZero();
    return said.lines().toList();
  }
}
