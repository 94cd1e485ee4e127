/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each promise of SECURITY.md that is a row of a table of tests names tests that there are. */
final class SecurityPageTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home"));
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)`");
  private static final Pattern TESTED_TABLE = Pattern.compile("\\|.*\\| test \\|");

  /** The chapters whose tables promise what we do, and not what others are to do. */
  private static final List<String> PROMISES =
      List.of(
          "## The port for faces",
          "## Integrity of checkpoints and outputs",
          "## What a killed process leaves",
          "## Limits",
          "## Folders and files",
          "## What is encrypted",
          "## What ends, and what is left");

  private static List<String> page;
  private static Set<String> tests;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readAllLines(HOME.resolve("SECURITY.md"));
    try (Stream<Path> files = Files.walk(HOME)) {
      tests =
          files
              .filter(file -> file.toString().contains("/src/test/java/"))
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Test.java"))
              .map(name -> name.substring(0, name.length() - ".java".length()))
              .collect(Collectors.toSet());
    }
  }

  private static List<String> named(String text) {
    return NAMED.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  @Test
  void everyTestThatIsNamedExists() {
    assertThat(named(String.join("\n", page))).hasSizeGreaterThan(20).isSubsetOf(tests);
  }

  @Test
  void everyTableOfPromisesHasAColumnOfTests() {
    for (String chapter : PROMISES) {
      assertThat(page).contains(chapter);
      List<String> rows = page.subList(page.indexOf(chapter) + 1, page.size());
      String head = rows.stream().filter(row -> row.startsWith("|")).findFirst().orElseThrow();
      assertThat(head).as(chapter).matches(TESTED_TABLE);
    }
  }

  @Test
  void everyPromiseInATableOfTestsNamesOne() {
    int tables = 0;
    for (int i = 0; i < page.size(); i++) {
      if (!TESTED_TABLE.matcher(page.get(i)).matches()) {
        continue;
      }
      tables++;
      for (int row = i + 2; row < page.size() && page.get(row).startsWith("|"); row++) {
        String[] cells = page.get(row).split(" \\| ");
        assertThat(named(cells[cells.length - 1])).as(page.get(row)).isNotEmpty();
      }
    }
    assertThat(tables).isEqualTo(PROMISES.size());
  }
}
